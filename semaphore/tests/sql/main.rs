//! Semaphores in SQL databases: what the conformance suite can't see from outside.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the helpers of tests fail as tests do"
)]

mod calls;
mod collecting;
mod deadlines;
mod fenced;
mod isolation;
mod migrating;
mod misses;
mod plans;
mod proxy;
mod soak;
mod support;
mod threads;
mod watching;
