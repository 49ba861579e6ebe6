//! A visit: what a line of the input says, and what a message's body holds.

use serde::{Deserialize, Serialize};

/// The attribute that carries a visit's id, also on the way to the retry queue.
pub(crate) const VISIT: &str = "visit";
/// The attribute that carries the run that sent it: in a durable queue there may be visits of an earlier one.
pub(crate) const RUN: &str = "run";
/// The attribute that carries a malformed line's number.
pub(crate) const LINE: &str = "line";

/// One page visit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Visit {
    /// The token of the account that was visited; it names the account's queues.
    pub(crate) aid: String,
    /// The session.
    pub(crate) sid: String,
    /// When, in seconds since 1970.
    pub(crate) created: i64,
}
