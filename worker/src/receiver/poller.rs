//! A poller: asks the gate, reserves room, and receives.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use queue_core::{Delivery, Outcome, QueueError, ReceiveOptions, Turn, WorkerName};
use tokio::time::{Instant, sleep, timeout};
use tracing::{Instrument, debug, warn};

use super::held::Held;
use super::outage::Pass;
use super::room::Reservation;
use super::shared::Shared;

/// The pause after an empty answer that came much sooner than the wait: a queue that does not wait must not be asked
/// in a tight loop.
const PAUSE: Duration = Duration::from_secs(1);

/// What a poll needs before it may start. Dropping it gives all three back.
struct Ready<'a> {
    turn: Turn,
    room: Reservation<'a>,
    pass: Pass<'a>,
}

impl Shared {
    /// Polls until the receiver stops. No error ends it (W7).
    pub(crate) async fn run_poller(self: Arc<Self>, name: WorkerName) {
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return,
                ready = self.ready(&name) => self.poll(&name, ready).await,
            }
        }
    }

    /// Waits for the gate, then for room, then for the shared back-off.
    async fn ready(&self, name: &WorkerName) -> Ready<'_> {
        let turn = self.settings.gate.enter(name).await;
        let room = self.room.reserve().await;
        Ready { turn, room, pass: self.outage.pass().await }
    }

    async fn poll(&self, name: &WorkerName, ready: Ready<'_>) {
        let Ready { turn, room, pass } = ready;
        let (asked, sent) = (room.asked, Instant::now());
        self.vitals.polls(name);
        let answer = self.receive(asked).instrument(self.receive_span()).await;
        let waited = sent.elapsed();
        match answer {
            Ok(deliveries) => {
                pass.succeeded();
                self.vitals.succeeded(name);
                let got = deliveries.len();
                debug!(worker = %name, asked, got, "received");
                let late = self.room.fill(room, self.hold(deliveries));
                self.observe();
                turn.report(Outcome::Received { asked, got, waited });
                self.give_back(late).await;
                self.pause_after(got, waited).await;
            }
            Err(error) => {
                self.ledger.failed_receives.add(1);
                warn!(worker = %name, queue = self.settings.name, %error, "a receive failed");
                pass.failed(&error);
                self.vitals.failed(name, &error);
                turn.report(Outcome::Failed);
            }
        }
    }

    /// Makes one receive. It ends by its deadline (W8), and a panic in the backend is an error like others.
    async fn receive(&self, asked: usize) -> Result<Vec<Delivery>, QueueError> {
        let wait = self.settings.wait.min(self.limits.max_wait);
        let mut options = ReceiveOptions::new(asked).with_wait(wait).with_stop(self.stop.clone());
        options.visibility = self.settings.visibility;
        let attempt = self.limits.ordered.then(|| self.unanswered.next());
        options.attempt_id = attempt.as_ref().map(|attempt| Arc::clone(&attempt.id));
        let deadline = wait + self.settings.call_margin;
        let call = AssertUnwindSafe(self.consumer.receive(options)).catch_unwind();
        let answer = match timeout(deadline, call).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_panic)) => Err(QueueError::indeterminate("the queue's client panicked")),
            Err(_) => Err(QueueError::indeterminate(format!("no answer to a receive within {deadline:?}"))),
        };
        if let (Some(attempt), Err(error)) = (attempt, &answer) {
            self.unanswered.keep(attempt, error);
        }
        answer
    }

    fn hold(&self, deliveries: Vec<Delivery>) -> Vec<Held> {
        self.ledger.received.add(deliveries.len());
        self.instruments.ages(&deliveries);
        deliveries
            .into_iter()
            .map(|delivery| Held { lease: self.renewals.hold(&delivery), delivery, retries: 0 })
            .collect()
    }

    async fn pause_after(&self, got: usize, waited: Duration) {
        let wait = self.settings.wait.min(self.limits.max_wait);
        if got == 0 && (wait.is_zero() || waited < wait / 2) {
            tokio::select! {
                () = self.stop.cancelled() => {}
                () = sleep(PAUSE) => {}
            }
        }
    }
}
