//! The semaphore-gated runner, on a paused clock: W13.

#![expect(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests fail as tests do")]

mod ends;
mod faults;
mod limits;
mod support;
