//! The cancellation matrix: every public call is dropped at each of its await points, whatever the backend does
//! meanwhile, and what its documentation says then is so.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

mod acquiring;
mod gated;
mod holding;
mod watching;
