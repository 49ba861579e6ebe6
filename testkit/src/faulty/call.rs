//! A call, as it is recorded.

use std::fmt;
use std::time::Duration;

use tokio::time::Instant;

use super::Fault;

/// What is asked of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CallKind {
    /// [`Publisher::publish`](queue_core::Publisher::publish)
    Publish,
    /// [`Consumer::receive`](queue_core::Consumer::receive)
    Receive,
    /// [`Settler::delete`](queue_core::Settler::delete)
    Delete,
    /// [`Settler::change_visibility`](queue_core::Settler::change_visibility)
    ChangeVisibility,
    /// [`Inspect::depth`](queue_core::Inspect::depth)
    Depth,
    /// [`Inspect::purge`](queue_core::Inspect::purge)
    Purge,
}

impl fmt::Display for CallKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Publish => "publish",
            Self::Receive => "receive",
            Self::Delete => "delete",
            Self::ChangeVisibility => "change of visibility",
            Self::Depth => "depth",
            Self::Purge => "purge",
        })
    }
}

/// A call that was started.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Call {
    /// What was asked.
    pub kind: CallKind,
    /// Its number among its kind, counted from 0.
    pub number: usize,
    /// How many entries its batch has; of a receive, how many messages it asks for.
    pub entries: usize,
    /// The visibility timeout that it names, if it names one: of a receive, or of the first entry of a change.
    pub visibility: Option<Duration>,
    /// When it was started.
    pub at: Instant,
    /// What happens to it.
    pub fault: Fault,
}
