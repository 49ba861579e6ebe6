//! The example `visscore`, run as a user runs it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests fail as tests do")]

#[cfg(feature = "sqlite")]
mod durable;
mod lines;
mod program;
mod runs;
mod signals;
#[cfg(feature = "sqs")]
mod sqs;
