//! The driver: the task that starts the calls while anything waits.

use std::sync::Arc;

use tokio::task::yield_now;
use tokio::time::{Instant, timeout_at};

use super::Kind;
use super::flight::Flight;
use super::gathering::Next;
use super::shared::Shared;

/// # Drop
/// When it is dropped before its end, with its runtime, it answers for what waits.
#[derive(Debug)]
pub(super) struct Driver<K: Kind> {
    shared: Arc<Shared<K>>,
    ended: bool,
}

impl<K: Kind> Driver<K> {
    pub(super) fn new(shared: Arc<Shared<K>>) -> Self {
        Self { shared, ended: false }
    }

    pub(super) async fn run(mut self) {
        while let Some(until) = self.start_calls().await {
            self.rest(until).await;
        }
        self.ended = true;
    }

    /// Starts the calls that are due. Answers until when to rest then; `None` when nothing waits.
    async fn start_calls(&self) -> Option<Option<Instant>> {
        // Callers that were woken together with us hand over what they have first.
        yield_now().await;
        loop {
            match self.shared.next() {
                Next::Call(batch) => {
                    let flight = Flight::new(Arc::clone(&self.shared), batch.keys().copied().collect());
                    self.shared.tasks.spawn(flight.run(batch.into_values().collect()));
                }
                Next::Wait(until) => return Some(until),
                Next::End => return None,
            }
        }
    }

    async fn rest(&self, until: Option<Instant>) {
        let changed = self.shared.changed.notified();
        match until {
            Some(until) => {
                timeout_at(until, changed).await.ok();
            }
            None => changed.await,
        }
    }
}

impl<K: Kind> Drop for Driver<K> {
    fn drop(&mut self) {
        if !self.ended {
            self.shared.lose_driver();
        }
    }
}
