//! The receiver on ordered queues, on a paused clock: W11.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

mod answers;
mod failures;
mod groups;
mod journal;
mod loss;
mod property;
mod shutdown;
mod support;
mod tap;
