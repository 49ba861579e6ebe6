//! Keeps messages invisible while they wait for a slot and while they are handled: one task for all of a queue.

mod lease;
mod table;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::stream::{FuturesUnordered, StreamExt};
use queue_core::{CancellationToken, Delivery, QueueError, QueueErrorKind, ReceiveLimits};
use tokio::sync::OwnedMutexGuard;
use tokio::time::{Instant, timeout};
use tracing::{debug, warn};

use crate::account::Counter;
use crate::metrics::Instruments;
pub(crate) use lease::{Kept, Lease};
use table::Table;

/// The renewals of one receiver (W4 to W6).
///
/// A message is renewed when half of its visibility timeout is over, together with those that are due soon, ten to a
/// call. A call that fails for a passing reason is made again until the message's time is over.
#[derive(Debug)]
pub(crate) struct Renewals {
    table: Arc<Table>,
    limits: ReceiveLimits,
    /// A call that takes longer has failed.
    call_limit: Duration,
    stopped: CancellationToken,
    calls: Counter,
    /// Messages that were lost before they could be renewed.
    lost: Counter,
}

/// A message whose renewal is under way, and the guard that keeps a settle call back meanwhile (W6).
struct Due {
    lease: Arc<Lease>,
    visibility: Duration,
    _call: OwnedMutexGuard<()>,
}

impl Renewals {
    pub(crate) fn new(limits: ReceiveLimits, call_limit: Duration, instruments: &Instruments) -> Self {
        Self {
            table: Arc::default(),
            limits,
            call_limit,
            stopped: CancellationToken::new(),
            calls: Counter::mirrored(instruments.renewals()),
            lost: Counter::mirrored(instruments.renewals_lost()),
        }
    }

    /// Keeps a delivery invisible from now on, until its lease ends.
    pub(crate) fn hold(&self, delivery: &Delivery) -> Kept {
        Kept::new(Lease::new(delivery, &self.limits, Arc::clone(&self.table)))
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    pub(crate) fn calls(&self) -> u64 {
        self.calls.read()
    }

    pub(crate) fn lost(&self) -> u64 {
        self.lost.read()
    }

    pub(crate) fn stop(&self) {
        self.stopped.cancel();
    }

    /// Renews until it is stopped. No error and no panic in the backend ends it (W7).
    pub(crate) async fn run(self: Arc<Self>) {
        let mut calls = FuturesUnordered::new();
        loop {
            tokio::select! {
                () = self.stopped.cancelled() => return,
                () = self.table.until_due() => {
                    let due = self.take_due(Instant::now());
                    calls.extend(due.into_iter().map(|batch| self.renew(batch)));
                }
                Some(()) = calls.next() => {}
            }
        }
    }

    /// Takes what is due, cut into batches, after telling those whose time is over.
    fn take_due(&self, now: Instant) -> Vec<Vec<Due>> {
        let mut batches: Vec<Vec<Due>> = Vec::new();
        for lease in self.table.take_due(now) {
            let Some(due) = self.begin(lease, now) else { continue };
            match batches.last_mut() {
                Some(batch) if batch.len() < self.limits.batch => batch.push(due),
                _ => batches.push(vec![due]),
            }
        }
        batches
    }

    async fn renew(&self, batch: Vec<Due>) {
        let Some(settler) = batch.first().map(|due| Arc::clone(due.lease.settler())) else { return };
        let entries = batch.iter().map(|due| (due.lease.receipt().clone(), due.visibility)).collect();
        let asked = Instant::now();
        self.calls.add(1);
        let limit = batch.iter().fold(self.call_limit, |limit, due| limit.min(due.lease.patience(asked)));
        let call = AssertUnwindSafe(settler.change_visibility(entries)).catch_unwind();
        let answers = match timeout(limit, call).await {
            Ok(Ok(answers)) => answers,
            Ok(Err(_)) | Err(_) => Vec::new(), // a panic in the backend, or no answer in time
        };
        let none = || Err(QueueError::indeterminate("no answer for this entry"));
        let answers = answers.into_iter().chain(std::iter::repeat_with(none));
        for (due, answer) in batch.iter().zip(answers) {
            self.note(due, asked, answer);
        }
    }

    fn note(&self, due: &Due, asked: Instant, answer: Result<(), QueueError>) {
        match answer {
            Ok(()) => due.lease.extended(asked, due.visibility),
            Err(error) if error.kind() == QueueErrorKind::Lost => {
                warn!(%error, "a renewal found its message lost");
                self.lost.add(1);
                due.lease.lose();
            }
            Err(error) => {
                debug!(%error, "a renewal failed");
                due.lease.try_again(Instant::now());
            }
        }
    }

    /// Starts one message's renewal; not if its time is over, another call is under way, or it can't be extended further.
    fn begin(&self, lease: Arc<Lease>, now: Instant) -> Option<Due> {
        if lease.patience(now).is_zero() {
            warn!("a message's time is over before it could be renewed");
            self.lost.add(1);
            lease.lose();
            return None;
        }
        // A call of the handler's, or the settlement, is under way: look again soon.
        let Some(call) = lease.try_call() else {
            lease.look_again(now);
            return None;
        };
        let visibility = lease.visibility();
        if now + visibility > lease.ends_for_good() {
            warn!("a message can't be kept any longer; its handler is told");
            lease.cancelled().cancel();
            return None;
        }
        Some(Due { lease, visibility, _call: call })
    }
}
