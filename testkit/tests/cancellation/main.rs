//! The cancellation matrix: every public call is dropped at each of its await points, whatever the queue behind it
//! does meanwhile, and what its documentation says then is so.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

mod coalesced;
mod gates;
mod memory;
mod support;
mod topic;
