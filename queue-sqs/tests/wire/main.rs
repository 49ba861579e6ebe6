//! What goes over the wire, by recorded answers.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../support/client.rs"]
mod client;
mod connections;
mod inspecting;
mod publishing;
mod receiving;
mod recorded;
mod setting_up;
mod settling;
mod time_outs;
