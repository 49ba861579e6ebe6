//! What a service shows of itself: its metrics on a Prometheus endpoint, its traces, its health; and `tower` layers.

#![expect(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests fail as tests do")]

mod health;
mod layers;
mod meter;
mod metrics;
mod prometheus;
mod service;
mod spans;
mod trace;
