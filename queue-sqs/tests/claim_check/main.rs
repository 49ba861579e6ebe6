//! The claim check over a queue in memory and a store in memory, either of which may fail; and over the test server.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

mod broken;
mod cancellation;
#[path = "../support/client.rs"]
mod client;
mod interop;
mod ordered;
mod property;
mod publish;
mod receive;
mod receiver;
mod server;
mod settle;
mod store;
mod support;
