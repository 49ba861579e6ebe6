//! Runs on made-up visits, and their options.

use crate::program::run;

#[test]
fn a_run_handles_each_visit_once_at_a_third_of_a_call() {
    let ended = run(&["--visits", "3000", "--accounts", "3", "--json"]);
    let numbers =
        ended.numbers(["sent", "handled", "unique", "duplicates", "retried", "quarantined", "left", "lost"]);
    assert_eq!(numbers, [3_000, 3_000, 3_000, 0, 0, 0, 0, 0]);
    let report = ended.report();
    let calls = ["publish", "receive", "delete"].map(|name| report["calls"][name].as_u64().unwrap());
    let per_visit = report["calls_per_visit"].as_f64().unwrap();
    assert!(
        (per_visit - f64::from(u32::try_from(calls.iter().sum::<u64>()).unwrap()) / 3_000.0).abs() < 0.001,
        "{report}"
    );
    assert!(per_visit <= 0.35, "{report}");
    assert_eq!(ended.code, Some(0));
}

// G6
#[test]
fn an_idle_hour_is_counted_with_the_workers_and_the_wait_of_the_run() {
    let hour = |options: &[&str]| {
        run(&[options, &["--visits", "1", "--json"]].concat()).report()["idle_receives_per_hour"].clone()
    };
    assert_eq!(hour(&[]), serde_json::json!({ "gated": 180, "ungated": 1_800 }));
    let fewer = hour(&["--main-workers", "4", "--wait", "10"]);
    assert_eq!(fewer, serde_json::json!({ "gated": 360, "ungated": 1_440 }));
}

#[test]
fn one_message_a_call_costs_what_the_original_paid() {
    let report = run(&["--visits", "1000", "--accounts", "1", "--batch", "1", "--json"]).report();
    assert_eq!(
        (report["calls"]["publish"].as_u64(), report["calls"]["delete"].as_u64()),
        (Some(1_000), Some(1_000))
    );
    assert!((3.0..3.1).contains(&report["calls_per_visit"].as_f64().unwrap()), "{report}");
}

#[test]
fn a_failing_visit_is_moved_and_handled_there() {
    let ended = run(&["--visits", "400", "--fail-rate", "0.1", "--json"]);
    let [handled, unique, left, lost] = ended.numbers(["handled", "unique", "left", "lost"]);
    assert_eq!((handled, unique, left, lost), (400, 400, 0, 0));
    assert!((20..60).contains(&ended.numbers(["retried"])[0]), "{}", ended.stdout);
}

#[test]
fn a_visit_that_always_fails_ends_in_quarantine_and_is_not_lost() {
    let ended = run(&["--visits", "20", "--fail-rate", "1", "--json"]);
    let numbers = ended.numbers(["sent", "unique", "retried", "quarantined", "left", "lost"]);
    assert_eq!((numbers, ended.code), ([20, 0, 20, 0, 20, 0], Some(0)));
    assert!(ended.stderr.contains("given up"), "{}", ended.stderr);
}

#[test]
fn a_replay_takes_the_time_that_it_should() {
    let input =
        [0, 10].map(|second| format!("{{\"aid\":\"a\",\"sid\":\"s\",\"created\":{second}}}\n")).concat();
    let ended = crate::program::run_with(&["--input", "-", "--speed", "10", "--json"], input.as_bytes());
    let report = ended.report();
    assert!(report["elapsed_s"].as_f64().unwrap() >= 1.0, "{report}");
    assert_eq!(report["calls"]["publish"].as_u64(), Some(2));
}

#[test]
fn idling_is_counted_apart_from_the_work() {
    let report =
        run(&["--visits", "10", "--accounts", "1", "--wait", "1", "--idle", "2.5", "--json"]).report();
    assert!((2..=20).contains(&report["idle"]["receives"].as_u64().unwrap()), "{report}");
    assert!((30..=45).contains(&report["idle"]["ungated_receives"].as_u64().unwrap()), "{report}");
}

#[test]
fn a_publisher_alone_leaves_its_visits_and_a_consumer_alone_finds_none() {
    let published = run(&["--backend", "memory", "--role", "produce", "--visits", "50", "--json"]);
    assert_eq!((published.numbers(["sent", "left", "lost"]), published.code), ([50, 50, 0], Some(0)));
    let consumed = run(&["--backend", "memory", "--role", "consume", "--idle", "0.1", "--json"]);
    assert_eq!((consumed.numbers(["sent", "handled", "left"]), consumed.code), ([0, 0, 0], Some(0)));
}

#[test]
fn the_summary_tells_people_what_the_calls_cost() {
    let ended = run(&["--visits", "100"]);
    for word in ["handled 100 visits", "price", "with gates", "1,800", "30 idle days", "save up to $"] {
        assert!(ended.stdout.contains(word), "{word} in\n{}", ended.stdout);
    }
    assert_eq!((ended.stderr.as_str(), ended.code), ("", Some(0)));
}

#[test]
fn an_option_without_sense_is_refused_with_what_would_be_right() {
    for (options, right) in [
        (["--speed", "0"], "above 0"),
        (["--fail-rate", "2"], "0 to 1"),
        (["--batch", "11"], "1..=10"),
        (["--main-workers", "0"], "1..=1000"),
        (["--wait", "21"], "1..=20"),
        (["--gate", "shut"], "master, cluster, open"),
        (["--backend", "redis"], "sqlite:PATH"),
        (["--backend", "postgres"], "--database-url"),
        (["--database-url", "x"], "--database-url"),
        (["--role", "rest"], "produce, consume, both"),
        (["--idle", "-1"], "--idle"),
    ] {
        let ended = run(&options);
        assert!(ended.code == Some(2) && ended.stderr.contains(right), "{options:?}: {}", ended.stderr);
    }
    let ended = run(&["--role", "consume", "--input", "-"]);
    assert!(ended.code == Some(2) && ended.stderr.contains("consume"), "{}", ended.stderr);
}
