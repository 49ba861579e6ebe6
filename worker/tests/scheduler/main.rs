//! Triggers and the scheduler, on a paused clock: W12.

#![expect(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests fail as tests do")]

mod beats;
mod cancellation;
#[cfg(feature = "cron")]
mod cron;
mod gate;
mod handle;
mod limit;
mod outcomes;
mod pause;
mod property;
mod stop;
mod support;
