//! The cluster gate, on a paused clock: G8, G9, G10 over several processes.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

mod burst;
mod follower;
mod idle;
mod lives;
mod outage;
mod process;
mod store;
mod takeover;
mod wire;
