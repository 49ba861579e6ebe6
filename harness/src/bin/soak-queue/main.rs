//! Soaks a queue: producers and consumers that are killed and frozen at random, and a count of what came of it.
//!
//! `cargo xtask soak queue --help` says what it takes. The last line of stdout is, with `--json`, one object; progress
//! is told on stderr; the status is 0 only if nothing was lost, held twice, out of order, or never sent.
//!
//! Children are this program again, with their job in the environment. On the memory backend they are threads, each with
//! a runtime of its own: to kill one is to drop its runtime, to freeze one is to block it.
//!
//! With `SOAK_KEEP_LOG=FILE` in the environment the journal of who held what is copied to that file at the end.

mod backend;
mod consume;
mod crew;
mod handling;
mod holds;
mod host;
mod job;
mod member;
mod options;
mod plan;
mod plant;
mod produce;
mod recorded;
mod sabotage;
mod soak;
mod tally;
mod verdict;

use std::process::ExitCode;

use clap::Parser;

use job::Job;
use options::Options;
use plant::Plant;
use soak::Soak;

/// What can go wrong with a soak itself.
type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    match Job::inherited().map_or_else(lead, |job| job?.run().map(|()| true)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            tell(&format!("error: {error}"));
            let mut cause = error.source();
            while let Some(error) = cause {
                tell(&format!("because: {error}"));
                cause = error.source();
            }
            ExitCode::FAILURE
        }
    }
}

/// Runs the soak and answers whether it was clean.
#[expect(clippy::print_stdout, reason = "a program's answer")]
fn lead() -> Result<bool, Failure> {
    let options = Options::parse();
    if options.plant.as_deref() == Some("list") {
        Plant::all().for_each(|plant| println!("{:<14} {}", plant.name(), plant.sentence()));
        return Ok(true);
    }
    let json = options.json;
    let verdict = Soak::new(options)?.run()?;
    println!("{}", if json { serde_json::to_string(&verdict.figures)? } else { verdict.to_string() });
    Ok(verdict.is_clean())
}

#[expect(clippy::print_stderr, reason = "progress is told on stderr")]
fn tell(what: &str) {
    eprintln!("soak: {what}");
}
