//! The watch over a cluster: the one timer of a process, and what it asks of the semaphore.

use std::sync::Arc;
use std::time::Duration;

use semaphore::{PermitRequest, SemaphoreError, lease, max};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use super::Standing;
use super::class::ClusterClass;
use super::shared::Shared;

impl Shared {
    /// Asks until the cluster is stopped. Nothing that the semaphore does ends it.
    pub(super) async fn watch(self: Arc<Self>) {
        let mut ticks = ticks(self.options.interval());
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => break,
                () = self.round(&mut ticks) => {}
            }
        }
        for class in self.lock().drain(..).filter(|class| class.standing() != Standing::Holder) {
            class.retire();
        }
    }

    /// Waits for a tick, or for a class that does not wait for one, and asks for it.
    async fn round(self: &Arc<Self>, ticks: &mut Interval) {
        tokio::select! {
            biased;
            () = self.asking.notified() => {
                self.ask(|class| class.standing() == Standing::Asking).await;
            }
            _ = ticks.tick() => {
                self.classes().iter().for_each(|class| class.tick(self.options.patience()));
                self.ask(|_| true).await;
            }
        }
    }

    /// Reads who holds the permits, in one call, and tries for those that nobody holds. All of it ends by one deadline.
    async fn ask(self: &Arc<Self>, which: impl Fn(&ClusterClass) -> bool) {
        let mut classes = self.classes();
        classes.retain(|class| class.wants_to_know() && which(class));
        if classes.is_empty() {
            return;
        }
        let until = self.deadline();
        let keys = classes.iter().map(|class| class.key.clone()).collect();
        match self.calls.call(&self.calls.looks, until, self.holders.holders_of(keys)).await {
            Ok(lists) => {
                for (class, holders) in classes.iter().zip(lists) {
                    if !class.hear(&holders) {
                        self.take(class, until).await;
                    }
                }
            }
            Err(error) => classes.iter().for_each(|class| self.unanswered(class, &error)),
        }
    }

    /// Tries for the permit of `class`.
    async fn take(self: &Arc<Self>, class: &Arc<ClusterClass>, until: Instant) {
        let notice = class.first_notice();
        let request = PermitRequest::new(class.key.as_str(), max(1), lease(self.options.lease()))
            .with_context(notice.signed());
        match self.calls.call(&self.calls.tries, until, self.semaphore.try_acquire(request)).await {
            Ok(Some(permit)) => {
                class.take(notice);
                self.tasks.spawn(Arc::clone(self).keep(Arc::clone(class), permit));
            }
            Ok(None) => class.beaten(),
            Err(error) => self.unanswered(class, &error),
        }
    }

    fn unanswered(&self, class: &ClusterClass, error: &SemaphoreError) {
        if class.unanswered(error, self.options.lease()) {
            self.calls.fell_back();
        }
    }
}

/// Ticks at a phase of its own, so that processes that were started together don't ask together.
fn ticks(interval: Duration) -> Interval {
    let phase = interval.mul_f64(fastrand::f64());
    let mut ticks = interval_at(Instant::now() + phase, interval);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
