//! What the gates and tasks of a cluster share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use queue_core::CancellationToken;
use semaphore::{Holders, Semaphore};
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use super::ClusterOptions;
use super::calls::Ledger;
use super::class::ClusterClass;

/// The shortest time in which a call of the semaphore has to answer.
const SHORTEST_CALL: Duration = Duration::from_secs(1);

/// What the gates and tasks of a cluster share. The tasks: one with the timer, and one for each permit that is held.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) semaphore: Arc<dyn Semaphore>,
    pub(super) holders: Arc<dyn Holders>,
    pub(super) options: ClusterOptions,
    pub(super) calls: Ledger,
    classes: Mutex<Vec<Arc<ClusterClass>>>,
    begun: AtomicBool,
    /// There is a class that asks, and does not wait for the next tick.
    pub(super) asking: Notify,
    pub(super) stop: CancellationToken,
    pub(super) tasks: TaskTracker,
}

impl Shared {
    pub(super) fn new<S: Semaphore + Holders + 'static>(semaphore: Arc<S>, options: ClusterOptions) -> Self {
        Self {
            holders: Arc::clone(&semaphore) as Arc<dyn Holders>,
            semaphore,
            options,
            calls: Ledger::default(),
            classes: Mutex::default(),
            begun: AtomicBool::new(false),
            asking: Notify::new(),
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }

    /// Takes a class in. The timer starts with the first.
    pub(super) fn join(self: &Arc<Self>, class: &Arc<ClusterClass>) {
        self.lock().push(Arc::clone(class));
        if self.stop.is_cancelled() {
            class.retire();
        } else if !self.begun.swap(true, Ordering::SeqCst) {
            self.tasks.spawn(Arc::clone(self).watch());
        }
        self.asking.notify_one();
    }

    /// The classes whose gates are still there.
    pub(super) fn classes(&self) -> Vec<Arc<ClusterClass>> {
        let mut classes = self.lock();
        classes.retain(|class| !class.stop.is_cancelled());
        classes.clone()
    }

    /// When a call that begins now has to have its answer.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.options.interval().max(SHORTEST_CALL)
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Vec<Arc<ClusterClass>>> {
        self.classes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
