//! The receiver on ordered queues, on a paused clock: W11.

#![expect(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests fail as tests do")]

mod answers;
mod failures;
#[expect(dead_code, clippy::unused_async, reason = "the receiver's tests use the rest of it")]
#[path = "../receiver/support.rs"]
mod flaky;
mod groups;
mod journal;
mod loss;
mod property;
mod shutdown;
mod support;
mod tap;
