//! The receiver and the coalescing decorator over queues of the test server, in real time.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../support/client.rs"]
mod client;
mod coalesced;
mod errors;
mod hanging;
mod idle;
mod localstack;
mod ordered;
mod overdue;
mod pressure;
mod renewal;
mod shutdown;
mod world;
