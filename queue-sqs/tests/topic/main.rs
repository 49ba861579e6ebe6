//! Topics at Amazon SNS: against recorded answers, and against the test server.

#![expect(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests fail as tests do")]

#[path = "../support/client.rs"]
mod client;
mod fan_out;
mod fifo;
mod filters;
mod limits;
mod localstack;
mod partial;
mod policies;
mod replay;
mod requests;
mod setup;
mod subscriptions;
mod world;
