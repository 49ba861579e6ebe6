//! The soak of queues in small, and each of its plants found.

#[path = "soaking/soaked.rs"]
mod soaking;

use serde_json::json;
use soaking::Soaked;

const QUEUE: &str = env!("CARGO_BIN_EXE_soak-queue");

/// A soak of a few seconds.
fn soak(words: &str) -> Soaked {
    Soaked::by(QUEUE, &format!("--json --visibility-ms 700 --patience-ms 2500 {words}"))
}

/// The figure that a plant raises in a soak in memory; the status says the same.
fn planted(plant: &str, figure: &str) -> u64 {
    let soaked = soak(&format!("--messages 1500 --kills 14 --plant {plant}"));
    assert!(!soaked.success, "{plant} was not found: {}", soaked.text);
    soaked.figure(figure)
}

// Q3, Q4, Q8
#[test]
fn queues_in_memory_come_through_kills_and_freezes() {
    let soaked = soak("--messages 6000 --kills 16").expect_clean();
    assert_eq!((soaked.figure("sent"), soaked.figure("lost")), (6000, 0));
    let all = soaked.progress.contains(" 16 of 16 kills made: clean") && !soaked.progress.contains("warning");
    assert!(all, "{}", soaked.progress);
    assert_eq!(
        soaked.fields(),
        ["double_holders", "duplicates", "handled", "lost", "order_violations", "sent"]
    );
}

#[test]
fn what_is_deleted_before_it_is_handled_is_seen_to_be_lost() {
    assert!(planted("ack-first", "lost") > 0);
}

#[test]
fn what_is_deleted_though_it_failed_is_seen_to_be_lost() {
    assert!(planted("ack-failed", "lost") > 0);
}

#[test]
fn what_was_never_stored_is_seen_to_be_lost() {
    assert!(planted("drop-one", "lost") > 0);
}

#[test]
fn messages_that_are_not_hidden_are_seen_to_be_held_by_two() {
    assert!(planted("double", "double_holders") > 0);
}

#[test]
fn messages_that_are_hidden_for_too_short_a_time_are_seen_to_be_held_by_two() {
    assert!(planted("short-lease", "double_holders") > 0);
}

#[test]
fn a_batch_in_the_wrong_order_is_seen() {
    assert!(planted("reorder", "order_violations") > 0);
}

#[test]
fn a_message_that_nobody_sent_is_seen() {
    assert!(planted("phantom", "lost") > 0);
}

#[test]
fn every_plant_is_listed_with_a_sentence_and_has_a_test_here() {
    let tested = include_str!("soak_queue.rs");
    let plants = Soaked::by(QUEUE, "--plant list");
    assert!(plants.success && plants.text.lines().count() == 7, "{}", plants.text);
    for line in plants.text.lines() {
        let (name, sentence) = line.split_once(' ').unwrap();
        assert!(tested.contains(&format!("planted(\"{name}\"")) && sentence.trim().len() > 20, "{line}");
    }
}

#[test]
fn what_can_not_be_soaked_is_said_and_the_status_too() {
    for (words, why) in [
        ("--plant weeds", "there is no plant \"weeds\""),
        ("--restarts 1", "only a database server can be restarted"),
        ("--messages 0", "1..=100000000"),
        ("--kills 10001", "0..=10000"),
        ("--backend postgres --restarts 101", "0..=100"),
    ] {
        let soaked = Soaked::by(QUEUE, words);
        assert!(!soaked.success && soaked.text.is_empty(), "{words}");
        assert!(soaked.progress.contains(why), "{words}: {}", soaked.progress);
    }
}

// Q3, TQ14
#[test]
fn queues_in_sqlite_come_through_kills_and_freezes() {
    soak("--backend sqlite --messages 1000 --kills 8 --patience-ms 8000").expect_clean();
}

// Q3, TQ15
#[test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
fn queues_in_postgresql_come_through_kills_freezes_and_a_restart() {
    soak("--backend postgres --messages 1500 --kills 8 --restarts 1 --patience-ms 8000").expect_clean();
}

// Q3, TQ15
#[test]
#[ignore = "needs MariaDB: cargo xtask test"]
fn queues_in_mariadb_come_through_kills_freezes_and_a_restart() {
    soak("--backend mysql --messages 1500 --kills 8 --restarts 1 --patience-ms 8000").expect_clean();
}

#[test]
fn kills_that_were_asked_for_and_not_made_are_said_and_warned_of() {
    let soaked =
        Soaked::by(QUEUE, "--visibility-ms 700 --kind standard --messages 1 --kills 10000").expect_clean();
    assert!(soaked.text.contains(" of 10000 kills made: clean"), "{}", soaked.text);
    assert!(!soaked.text.contains(" 10000 of 10000 "), "{}", soaked.text);
    assert!(soaked.progress.contains("soak: warning: "), "{}", soaked.progress);
}

#[test]
fn the_figures_are_those_that_were_asked_for() {
    let soaked = soak("--messages 200 --kills 0 --kind standard").expect_clean();
    let wanted = json!({"sent": 200, "handled": 200, "lost": 0, "double_holders": 0, "order_violations": 0});
    for (name, value) in wanted.as_object().unwrap() {
        assert_eq!(Some(soaked.figure(name)), value.as_u64(), "{name}");
    }
}
