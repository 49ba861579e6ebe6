//! Redrives at the test server.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the helpers of tests fail as tests do"
)]

mod by_copy;
mod by_task;
#[path = "../support/client.rs"]
mod client;
mod faults;
mod world;
