//! Checks the log of a semaphore's soak: was anything held that must not have been?
//!
//! `check-grants --max M LOG` prints its verdict as one JSON object; the status is 0 only if it is a good one. What it
//! found is told on stderr, the first few of each kind. It knows nothing of semaphores but the words of the log.

#[path = "../soak-semaphore/event.rs"]
mod event;
mod full;
mod grants;
mod verdict;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use clap::builder::RangedU64ValueParser;
use harness::Journal;

use event::Event;
use verdict::Verdict;

/// Checks the log of a semaphore's soak.
#[derive(Debug, Parser)]
#[command(name = "check-grants")]
struct Options {
    /// How many permits there were at once at most.
    #[arg(long, value_parser = RangedU64ValueParser::<usize>::new().range(1..=65_535))]
    max: usize,
    /// The log.
    log: PathBuf,
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program's answer")]
fn main() -> ExitCode {
    let options = Options::parse();
    let events: Vec<Event> = match Journal::read(&options.log) {
        Ok(events) => events,
        Err(error) => {
            eprintln!("check-grants: {} can't be read: {error}", options.log.display());
            return ExitCode::FAILURE;
        }
    };
    let (verdict, findings) = Verdict::of(&events, options.max);
    for finding in &findings {
        eprintln!("check-grants: {finding}");
    }
    println!("{}", serde_json::to_string(&verdict).unwrap_or_default());
    if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
