//! The receiver on the memory queue, on a paused clock: W1 to W10, W14, G6 to G8.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

mod cancellation;
mod errors;
mod gates;
mod renewal;
mod room;
mod shutdown;
mod soak;
mod support;
mod verdicts;
mod visibility;
