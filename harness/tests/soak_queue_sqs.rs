//! The soak of queues on Amazon SQS in small: at the project's test server, and at `LocalStack`.
//!
//! Visibility timeouts are whole seconds there.

#[path = "soaking/soaked.rs"]
mod soaking;

use soaking::Soaked;

const QUEUE: &str = env!("CARGO_BIN_EXE_soak-queue");

/// A soak of a few seconds at the project's test server, also where another one is named.
fn soak(words: &str) -> Soaked {
    Soaked::by(QUEUE, &format!("--backend sqs --endpoint-url own --json --patience-ms 2500 {words}"))
}

/// The figure that a plant raises; the status says the same.
fn planted(plant: &str, figure: &str) -> u64 {
    let soaked = soak(&format!("--messages 500 --kills 6 --plant {plant}"));
    assert!(!soaked.success, "{plant} was not found: {}", soaked.text);
    soaked.figure(figure)
}

// Q3, Q4, Q8
#[test]
fn queues_at_the_test_server_come_through_kills_and_freezes() {
    let soaked = soak("--messages 2000 --kills 12 --visibility-ms 1000 --patience-ms 8000").expect_clean();
    assert_eq!((soaked.figure("sent"), soaked.figure("lost")), (2000, 0));
    let figures = ["double_holders", "duplicates", "handled", "lost", "order_violations", "sent"];
    assert_eq!(soaked.fields(), figures);
    assert!(soaked.progress.contains(" 12 of 12 kills made: clean"), "{}", soaked.progress);
    assert!(soaked.progress.contains("the queues are at http://127.0.0.1:"), "{}", soaked.progress);
}

#[test]
fn what_was_never_stored_is_seen_to_be_lost() {
    assert!(planted("drop-one", "lost") > 0);
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
fn what_can_not_be_soaked_is_said_and_the_status_too() {
    for (words, why) in [
        ("--backend sqs --endpoint-url own --restarts 1", "only a database server can be restarted"),
        ("--backend sqs --endpoint-url https://127.0.0.1:1", "is not of the form http://host:port"),
        ("--backend sqs --endpoint-url http://127.0.0.1:1", "Connection refused"),
        ("--backend sqlite --endpoint-url own", "--endpoint-url is for --backend sqs"),
        (
            "--backend sqs --endpoint-url own --visibility-ms 900 --plant short-lease",
            "short-lease changes nothing",
        ),
    ] {
        let soaked = Soaked::by(QUEUE, words);
        assert!(!soaked.success && soaked.text.is_empty(), "{words}");
        assert!(soaked.progress.contains(why), "{words}: {}", soaked.progress);
    }
}

/// The standard queue alone. `LocalStack` unlocks a FIFO queue's group as soon as one of its messages is given back,
/// though others are still held: soaked there, order breaks by no fault of ours.
// Q3, Q4
#[test]
#[ignore = "needs LocalStack: cargo xtask test"]
fn a_standard_queue_at_localstack_comes_through_kills_and_freezes() {
    let url = std::env::var("SQS_ENDPOINT_URL")
        .unwrap_or_else(|_| panic!("SQS_ENDPOINT_URL is not set; `cargo xtask test` sets it"));
    let words = "--kind standard --messages 500 --kills 8 --patience-ms 8000";
    Soaked::by(QUEUE, &format!("--backend sqs --endpoint-url {url} --json {words}")).expect_clean();
}
