//! What the tasks and the handles of a scheduler share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use queue_core::CancellationToken;
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use super::{Entry, RunAccount, Scheduler};
use crate::clock::WallClock;

/// What the tasks and the handles of a scheduler share. The tasks: one for each trigger.
pub(crate) struct Shared {
    pub(crate) entries: Vec<Entry>,
    /// One permit for each run that may be under way. It is fair: who waits first is served first.
    pub(crate) places: Semaphore,
    paused: AtomicBool,
    pub(crate) clock: Arc<WallClock>,
    pub(crate) stop: CancellationToken,
    pub(crate) abort: CancellationToken,
    pub(crate) tasks: TaskTracker,
}

impl Shared {
    pub(crate) fn new(scheduler: Scheduler) -> Self {
        let places = scheduler.limit.unwrap_or(scheduler.entries.len()).min(Semaphore::MAX_PERMITS);
        Self {
            entries: scheduler.entries,
            places: Semaphore::new(places),
            paused: AtomicBool::new(scheduler.paused),
            clock: Arc::new(WallClock::start()),
            stop: scheduler.stop,
            abort: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }

    pub(crate) fn start(self: &Arc<Self>) {
        let start = Instant::now();
        for number in 0..self.entries.len() {
            self.tasks.spawn(Arc::clone(self).run_trigger(number, start));
        }
        self.tasks.close();
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed)
    }

    pub(crate) fn set_paused(&self, paused: bool) {
        self.paused.store(paused, Ordering::Relaxed);
    }

    /// Whether a beat of `entry` must not run now.
    pub(crate) fn holds(&self, entry: &Entry) -> bool {
        entry.is_paused() || (self.is_paused() && !entry.trigger.runs_when_paused)
    }

    pub(crate) fn account(&self) -> RunAccount {
        let mut sum = RunAccount::default();
        for entry in &self.entries {
            sum += entry.log.read().account;
        }
        sum
    }
}
