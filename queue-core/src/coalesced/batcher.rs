//! The engine of gathering: entries of many callers go out in few calls, and each caller gets its own answers.
//!
//! A caller hands its entries over and waits. While any wait, one task, the driver, decides when the next call goes
//! out; each call is a task of its own. With nothing to do there is no task. What is decided, and when, is in
//! `gathering`, which knows no task and no clock.

mod bounds;
mod driver;
mod entry;
mod flight;
mod gathering;
mod kind;
mod shared;
mod submission;

use std::sync::Arc;

use backon::ExponentialBuilder;

use driver::Driver;
use shared::Shared;

pub(super) use bounds::Bounds;
pub(super) use kind::{Answer, Kind};

/// How long entries wait for company, how long a call may take, and how long between two attempts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) linger: std::time::Duration,
    pub(super) deadline: std::time::Duration,
    pub(super) pauses: ExponentialBuilder,
}

/// Where entries of one kind gather.
#[derive(Debug)]
pub(super) struct Batcher<K: Kind> {
    shared: Arc<Shared<K>>,
}

impl<K: Kind> Batcher<K> {
    pub(super) fn new(kind: K, pace: Pace) -> Self {
        Self { shared: Arc::new(Shared::new(kind, pace)) }
    }

    /// Hands `entries` over and waits for their answers: same length, same order.
    ///
    /// # Cancel safety
    /// A dropped call takes back what was not sent yet, unless the kind outlives its callers.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub(super) async fn submit(&self, bounds: Bounds, entries: Vec<K::Entry>) -> Vec<Answer<K>> {
        let (mut submission, driverless) = self.shared.hand_over(bounds, entries);
        if driverless {
            let driver = Driver::new(Arc::clone(&self.shared));
            self.shared.tasks.spawn(driver.run());
        }
        submission.answers().await
    }

    /// Sends all that waits now, and waits until it is answered.
    pub(super) async fn flush(&self) {
        self.shared.flush().await;
    }

    /// Lets the driver look again: something outside has changed.
    pub(super) fn wake(&self) {
        self.shared.changed.notify_one();
    }
}
