//! The project's own commands: `cargo xtask test`, `cargo xtask ci` and each of its stages alone, `cargo xtask soak`, and
//! `cargo xtask bench-report`.
//!
//! It depends on no crate of the family, so that it builds and judges them while they don't compile.

#![expect(clippy::print_stdout, reason = "a command-line program: what it does is told on stdout")]
#![expect(clippy::print_stderr, reason = "and why it failed on stderr")]

mod bench_report;
mod cargo;
mod ci;
mod cli;
mod features;
mod interrupt;
mod layers;
mod licences;
mod patience;
mod promises;
mod report;
mod services;
mod soak;
mod stage;
mod stopwatch;
mod suite;
mod workspace;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Err(error) = cli::Cli::parse().run() else { return ExitCode::SUCCESS };
    eprintln!("error: {error}");
    for cause in error.chain().skip(1) {
        eprintln!("because: {cause}");
    }
    ExitCode::FAILURE
}
