//! The soak of semaphores in small, and each of its plants found.

#[path = "soaking/soaked.rs"]
mod soaking;

use soaking::Soaked;

const SEMAPHORE: &str = env!("CARGO_BIN_EXE_soak-semaphore");

/// A soak of a few seconds.
fn soak(words: &str) -> Soaked {
    Soaked::by(SEMAPHORE, &format!("--json --processes 10 --max 3 {words}"))
}

/// The figure that a plant raises in a soak on SQLite; the status says the same. Most faults show only if two want the
/// same slot, so that a busy machine gets a longer soak.
fn planted(plant: &str, figure: &str) -> u64 {
    let soaks = [4, 8, 16].map(|seconds| format!("--seconds {seconds} --plant {plant}"));
    let found = soaks.iter().map(|words| soak(words)).find(|soaked| !soaked.success);
    assert!(found.is_some(), "{plant} was not found");
    found.map(|soaked| soaked.figure(figure)).unwrap_or_default()
}

// S1, S2, S3, S10, S15, TS8, TS14
#[test]
fn a_semaphore_in_sqlite_comes_through_kills_and_freezes() {
    let soaked = soak("--seconds 8").expect_clean();
    assert!(soaked.figure("grants") > 0 && (1..=3).contains(&soaked.figure("max_seen")), "{}", soaked.text);
    let fields = [
        "deadlocks_surfaced",
        "false_full",
        "fence_regressions",
        "grants",
        "lost_slots",
        "max_seen",
        "violations",
    ];
    assert_eq!(soaked.fields(), fields);
}

// S1, S2, S3, S7, S10, S15, TS8, TS12
#[test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
fn a_semaphore_in_postgresql_comes_through_kills_freezes_wrong_clocks_cuts_and_a_restart() {
    soak("--backend postgres --seconds 10 --restarts 1").expect_clean();
}

// S1, S2, S3, S7, S10, S15, TS8, TS12
#[test]
#[ignore = "needs MariaDB: cargo xtask test"]
fn a_semaphore_in_mariadb_comes_through_kills_freezes_wrong_clocks_cuts_and_a_restart() {
    soak("--backend mysql --seconds 10 --restarts 1").expect_clean();
}

#[test]
fn a_permit_too_many_is_seen() {
    assert!(planted("over-issue", "violations") > 0);
}

#[test]
fn a_permit_that_outlives_its_lease_is_seen() {
    assert!(planted("renew-expired", "violations") > 0);
}

#[test]
fn a_slot_that_is_taken_from_its_holder_is_seen() {
    assert!(planted("stale-release", "violations") > 0);
}

#[test]
fn a_fencing_number_that_comes_again_is_seen() {
    assert!(planted("fence-reuse", "fence_regressions") > 0);
}

#[test]
fn a_slot_that_nobody_can_have_is_seen() {
    assert!(planted("lost-slot", "lost_slots") > 0);
}

#[test]
fn a_holder_that_goes_by_its_own_clock_is_seen() {
    assert!(planted("client-clock", "violations") > 0);
}

#[test]
fn a_miss_though_there_was_room_is_seen() {
    assert!(planted("false-full", "false_full") > 0);
}

#[test]
fn a_deadlock_that_reaches_the_caller_is_seen() {
    assert!(planted("deadlock", "deadlocks_surfaced") > 0);
}

#[test]
fn every_plant_is_listed_with_a_sentence_and_has_a_test_here() {
    let tested = include_str!("soak_semaphore.rs");
    let plants = Soaked::by(SEMAPHORE, "--plant list");
    assert!(plants.success && plants.text.lines().count() == 8, "{}", plants.text);
    for line in plants.text.lines() {
        let (name, sentence) = line.split_once(' ').unwrap();
        assert!(tested.contains(&format!("planted(\"{name}\"")) && sentence.trim().len() > 20, "{line}");
    }
}

#[test]
fn what_can_not_be_soaked_is_said_and_the_status_too() {
    for (words, why) in [
        ("--plant weeds", "there is no plant \"weeds\""),
        ("--restarts 1", "SQLite has no server to restart"),
        ("--max 0", "1..=65535"),
        ("--processes 201", "1..=200"),
        ("--seconds 0", "1..=3600"),
        ("--backend postgres --restarts 101", "0..=100"),
    ] {
        let soaked = Soaked::by(SEMAPHORE, words);
        assert!(!soaked.success && soaked.progress.contains(why), "{words}: {}", soaked.progress);
    }
}
