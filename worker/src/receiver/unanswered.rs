//! The ids of receives whose answer was lost.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use queue_core::{QueueError, QueueErrorKind};

/// What has to be asked again: on an ordered queue a group that a lost answer may have brought stays blocked otherwise
/// (Q8). Whoever polls next repeats it, as the poller that lost the answer may have to wait at the gate first.
///
/// There are never more than pollers: each keeps one id for the one that it took.
#[derive(Debug, Default)]
pub(crate) struct Unanswered(Mutex<Vec<Arc<str>>>);

/// The id of one receive.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) id: Arc<str>,
    again: bool,
}

impl Unanswered {
    /// The id for a receive: the oldest that has to be repeated, or a fresh one.
    pub(crate) fn next(&self) -> Attempt {
        let mut ids = self.lock();
        if ids.is_empty() {
            return Attempt { id: format!("{:032x}", fastrand::u128(..)).into(), again: false };
        }
        Attempt { id: ids.remove(0), again: true }
    }

    /// Keeps an id whose receive failed, if messages may have been taken under it: by this call or, when it did not
    /// reach the queue, by the one that it repeats. An id that was refused is given up.
    pub(crate) fn keep(&self, attempt: Attempt, error: &QueueError) {
        let kind = error.kind();
        if kind == QueueErrorKind::Indeterminate || (attempt.again && kind.is_passing()) {
            self.lock().push(attempt.id);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<str>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
