//! Command lines of soaks, and the calls that they become.

use super::*;
use clap::Parser;

#[derive(Debug, Parser)]
struct Line {
    #[command(subcommand)]
    soak: Soak,
}

fn soak(words: &str) -> Soak {
    Line::try_parse_from(format!("xtask {words}").split_whitespace()).unwrap().soak
}

#[test]
fn a_soak_of_a_semaphore_says_all_to_its_program() {
    let soak = soak(
        "semaphore --backend postgres --processes 8 --max 3 --seconds 9 --restarts 2 --seed 7 --json --plant over-issue",
    );
    assert!(soak.needs_servers());
    assert_eq!(
        soak.call().to_string(),
        "cargo run --quiet -p harness --bin soak-semaphore -- --backend=postgres --processes=8 --max=3 --seconds=9 \
         --restarts=2 --seed=7 --json --plant=over-issue"
    );
}

#[test]
fn a_soak_of_a_queue_says_all_to_its_program_and_builds_as_it_is_told() {
    let soak = soak("queue --backend sqs --messages 5 --kills 1 --endpoint-url own --kind ordered --release");
    assert_eq!(
        soak.call().to_string(),
        "cargo run --quiet -p harness --release --bin soak-queue -- --backend=sqs --messages=5 --kills=1 \
         --endpoint-url=own --kind=ordered --seed=1"
    );
    assert_eq!(soak.build().to_string(), "cargo build --bins -p harness --release");
}

#[test]
fn servers_are_started_only_where_there_are_any_to_soak() {
    let needs = ["semaphore --backend mysql", "queue --backend mysql", "queue --backend postgres"];
    assert!(needs.iter().all(|words| soak(words).needs_servers()));
    let none = [
        "semaphore",
        "queue",
        "queue --backend sqlite",
        "queue --backend sqs",
        "queue --backend postgres --plant list",
    ];
    assert!(none.iter().all(|words| !soak(words).needs_servers()));
}

#[test]
fn a_number_outside_its_range_is_refused_with_the_range_and_its_ends_are_taken() {
    for (option, least, most) in [
        ("semaphore --max", 1, 65_535),
        ("semaphore --processes", 1, 200),
        ("semaphore --seconds", 1, 3600),
        ("semaphore --restarts", 0, 100),
        ("queue --messages", 1, 100_000_000),
        ("queue --kills", 0, 10_000),
        ("queue --restarts", 0, 100),
    ] {
        soak(&format!("{option}={least}"));
        soak(&format!("{option}={most}"));
        for number in [least - 1, most + 1] {
            let line = format!("xtask {option}={number}");
            let error = Line::try_parse_from(line.split_whitespace()).unwrap_err().to_string();
            assert!(error.contains(&format!("{least}..={most}")), "{line}: {error}");
        }
    }
}

#[test]
fn what_a_soak_does_not_know_is_refused() {
    for words in ["queue --backend oracle", "semaphore --backend memory", "queue --max 3", ""] {
        let line = format!("xtask {words}");
        assert!(Line::try_parse_from(line.split_whitespace()).is_err(), "{words}");
    }
}
