//! What callers, driver and calls share.

use std::ops::Range;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use super::entry::Entry;
use super::gathering::{Gathering, Next};
use super::submission::Submission;
use super::{Bounds, Kind, Pace};
use crate::QueueError;

#[derive(Debug)]
pub(super) struct Shared<K: Kind> {
    pub(super) kind: K,
    pub(super) pace: Pace,
    pub(super) tasks: TaskTracker,
    /// The driver is to look again.
    pub(super) changed: Notify,
    /// Flushes are to look again.
    done: Notify,
    gathering: Mutex<Gathering<K>>,
}

impl<K: Kind> Shared<K> {
    pub(super) fn new(kind: K, pace: Pace) -> Self {
        Self {
            kind,
            pace,
            tasks: TaskTracker::new(),
            changed: Notify::new(),
            done: Notify::new(),
            gathering: Mutex::new(Gathering::new()),
        }
    }

    /// Takes entries in. Answers the caller's half too, and whether a driver has to be started.
    pub(super) fn hand_over(
        self: &Arc<Self>,
        bounds: Bounds,
        entries: Vec<K::Entry>,
    ) -> (Submission<K>, bool) {
        let sized = entries.into_iter().map(|entry| (self.kind.bytes(&entry), entry));
        let (entries, replies) = sized.map(|(bytes, entry)| Entry::new(entry, bytes)).unzip();
        let mut gathering = self.lock();
        let numbers = gathering.push(bounds, entries);
        let driverless = gathering.needs_driver();
        drop(gathering);
        self.changed.notify_one();
        (Submission::new(Arc::clone(self), numbers, replies), driverless)
    }

    pub(super) fn next(&self) -> Next<K> {
        self.lock().next(Instant::now(), self.pace.linger, |calls| self.kind.is_alone(calls))
    }

    pub(super) fn land(&self, numbers: &[u64]) {
        self.lock().land(numbers);
        self.changed.notify_one();
        self.done.notify_waiters();
    }

    /// Takes back what was not sent yet, for a caller that is gone.
    pub(super) fn withdraw(&self, numbers: Range<u64>) {
        let withdrawn = self.lock().withdraw(numbers);
        drop(withdrawn);
        self.done.notify_waiters();
    }

    /// Answers for what was not sent when the driver was dropped, which happens when its runtime ends.
    pub(super) fn lose_driver(&self) {
        let stranded = self.lock().lose_driver();
        for entry in stranded.into_values() {
            entry.answer(Err(QueueError::closed("the runtime that would have sent it has ended")));
        }
        self.done.notify_waiters();
    }

    pub(super) async fn flush(&self) {
        let number = self.lock().hurry();
        self.changed.notify_one();
        loop {
            let mut done = pin!(self.done.notified());
            done.as_mut().enable();
            if self.lock().is_done_below(number) {
                return;
            }
            done.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Gathering<K>> {
        self.gathering.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
