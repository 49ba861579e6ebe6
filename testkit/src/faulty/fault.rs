//! A fault: what happens to one call.

use std::time::Duration;

use queue_core::QueueError;

/// What happens to one call of a [`Faulty`](super::Faulty) queue.
///
/// *Done* means that the call reached the queue and took effect there. Entries are counted from 0; those that a batch
/// doesn't have are ignored. Of a receive the messages that come are the entries. `depth` and `purge` have one entry.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// Nothing: it goes through.
    None,
    /// It fails before anything is done.
    Error(QueueError),
    /// These entries fail before anything is done, the others are done: a partial failure. The error says whether the
    /// sender caused it (*permanent*) or it is passing. These messages of a receive are left out.
    Entries(Vec<usize>, QueueError),
    /// It is done, and its answer is lost: *indeterminate*. What a receive would have brought stays hidden.
    Lost,
    /// It is done, and the answers to these entries are lost. These messages of a receive are left out.
    LostEntries(Vec<usize>),
    /// It takes that long, and is done then.
    Delay(Duration),
    /// It is done at once, and its answer takes that long.
    Late(Duration),
    /// It is never done and never answered.
    Hang,
    /// It is done and never answered. What a receive would have brought stays hidden.
    Unanswered,
    /// The client panics before anything is done.
    Panic,
    /// It is done, and the last so many entries are missing from its answer.
    Short(usize),
    /// It is done, and its answer has so many entries too many: the last one again. A receive asks for that many more,
    /// within the queue's limit.
    Long(usize),
    /// It is done, and its answer comes in reverse order.
    Reordered,
    /// Something else happens, so much later. See [`Fault::after`].
    After(Duration, Box<Self>),
}

impl Fault {
    /// It fails before anything is done, and the service asks to be left alone for `retry_after`.
    pub fn throttled(retry_after: Duration) -> Self {
        Self::Error(QueueError::transient("throttled").with_retry_after(retry_after))
    }

    /// The same, `delay` later.
    #[must_use]
    pub fn after(self, delay: Duration) -> Self {
        Self::After(delay, Box::new(self))
    }

    /// With which error an entry fails before anything is done, if it does.
    pub(super) fn refusal(&self, entry: usize) -> Option<&QueueError> {
        match self {
            Self::Error(error) => Some(error),
            Self::Entries(entries, error) if entries.contains(&entry) => Some(error),
            _ => None,
        }
    }

    /// Whether an entry is done and the answer to it is lost.
    pub(super) fn loses(&self, entry: usize) -> bool {
        match self {
            Self::Lost => true,
            Self::LostEntries(entries) => entries.contains(&entry),
            _ => false,
        }
    }

    /// How much is missing from the end of the answer.
    pub(super) fn shortage(&self) -> usize {
        if let Self::Short(missing) = self { *missing } else { 0 }
    }

    /// How much too much the answer has.
    pub(super) fn excess(&self) -> usize {
        if let Self::Long(more) = self { *more } else { 0 }
    }
}

/// The error of an answer that is lost.
pub(super) fn lost() -> QueueError {
    QueueError::indeterminate("the answer was lost")
}
