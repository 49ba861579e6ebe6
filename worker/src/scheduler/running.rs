//! A scheduler at work, and how it is stopped.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use queue_core::CancellationToken;
use tokio::time::timeout;

use super::{RunAccount, SchedulerHandle, Shared};

/// A scheduler at work, or a [`Trigger`](crate::Trigger) alone.
///
/// # Drop
/// Stops it as [`stop_token`](Self::stop_token) does: there is no new run, and those that run go on to their end. Only
/// [`stop`](Self::stop) waits for them and bounds them.
#[must_use = "dropping it stops the scheduler"]
pub struct RunningScheduler {
    shared: Arc<Shared>,
}

impl RunningScheduler {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// A handle to look at it, pause it and fire its triggers. Handles are cheap, and keep nothing running.
    pub fn handle(&self) -> SchedulerHandle {
        SchedulerHandle::new(Arc::clone(&self.shared))
    }

    /// What it has done so far, all triggers together.
    pub fn account(&self) -> RunAccount {
        self.shared.account()
    }

    /// Cancelling this token stops the scheduler from anywhere, also from inside a run.
    pub fn stop_token(&self) -> CancellationToken {
        self.shared.stop.clone()
    }

    /// Stops in three steps and says what was done.
    ///
    /// *Stop*: no new run; a beat that waits for a place is skipped. *Drain*: runs are awaited up to `grace`; they are
    /// told by [`RunContext::stopping`](crate::RunContext::stopping). *Abort*: what still runs is told by
    /// [`RunContext::cancelled`](crate::RunContext::cancelled), polled once more, and dropped. Runners get a second
    /// more to clean up. Work that blocks its thread can't be dropped, and is awaited.
    ///
    /// # Guarantees
    /// W12.
    ///
    /// # Cancel safety
    /// Safe: a dropped call leaves it stopping, with no bound on what runs.
    pub async fn stop(self, grace: Duration) -> RunAccount {
        self.shared.stop.cancel();
        if timeout(grace, self.shared.tasks.wait()).await.is_err() {
            self.shared.abort.cancel();
        }
        self.shared.tasks.wait().await;
        self.shared.account()
    }
}

impl Drop for RunningScheduler {
    fn drop(&mut self) {
        self.shared.stop.cancel();
    }
}

impl fmt::Debug for RunningScheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunningScheduler").field("account", &self.account()).finish_non_exhaustive()
    }
}
