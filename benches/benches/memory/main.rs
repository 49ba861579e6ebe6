//! B28: what a million empty polls and a million messages leave behind in the memory of a receiver.
//!
//! The clock is paused, so that the receiver is the one that services run: 10 pollers behind their gate, waits of
//! 20 s, for 231 days. Two measures: what is allocated, which is exact and the same everywhere, and the resident
//! memory, where the operating system tells it.

#![expect(clippy::print_stdout, reason = "a program: its report goes to stdout")]
#![expect(clippy::print_stderr, reason = "and its progress to stderr")]

mod growth;
mod messages;
mod polls;
mod sample;

use std::alloc::System;
use std::process::ExitCode;

use benches::{Report, paused};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

use growth::Growth;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How many polls and messages are made before the first sample: until then, buffers grow to their size.
const WARM_UP: u64 = 100_000;
/// How many have been made at the last sample. There is one every `WARM_UP` in between.
const END: u64 = 1_000_000;

fn main() -> ExitCode {
    let mut report = Report::from_args();
    report.extend(paused(polls::run(Growth::new("empty polls"))).findings());
    report.extend(paused(messages::run(Growth::new("messages"))).findings());
    print!("{report}");
    report.exit_code()
}
