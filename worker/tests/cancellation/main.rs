//! The receiver's part of the cancellation matrix: whatever is dropped, at whichever of its await points and whatever
//! the queue does meanwhile, nothing is lost, nothing is deleted that was not handled, and no task is left.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

mod dropping;
mod handlers;
mod left;
mod stop;
mod visibility;
mod watch;
