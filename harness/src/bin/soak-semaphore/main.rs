//! Soaks a semaphore: holders that are killed, frozen, cut off and shown another time, and a check of what they got.
//!
//! `cargo xtask soak semaphore --help` says what it takes. Holders are this program again, with their job in the
//! environment; what they get they write into a log, which the program `check-grants` judges. The last line of stdout
//! is, with `--json`, its verdict.
//!
//! With `SOAK_KEEP_LOG=FILE` in the environment the log is copied to that file at the end.

mod backend;
mod crew;
mod event;
mod hold;
mod holder;
mod job;
mod options;
mod plant;
mod sabotage;
mod soak;
mod trouble;
mod weather;

use std::process::ExitCode;

use clap::Parser;

use job::Job;
use options::Options;
use plant::Plant;

/// What can go wrong with a soak itself.
type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    match Job::inherited().map_or_else(lead, |job| job?.run().map(|()| true)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            tell(&format!("error: {}", chain(&*error)));
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
    let (verdict, is_clean) = soak::run(&options)?;
    println!(
        "{}",
        if json { verdict } else { format!("{verdict}: {}", if is_clean { "clean" } else { "NOT CLEAN" }) }
    );
    Ok(is_clean)
}

#[expect(clippy::print_stderr, reason = "progress is told on stderr")]
fn tell(what: &str) {
    eprintln!("soak: {what}");
}

/// An error and what caused it.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
