//! A poller: asks the gate, reserves room, and receives.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use queue_core::{Delivery, Outcome, QueueError, QueueErrorKind, ReceiveOptions, Turn, WorkerName};
use tokio::time::{Instant, sleep, timeout};
use tracing::{Instrument, debug, warn};

use super::held::Held;
use super::outage::Pass;
use super::room::Reservation;
use super::shared::Shared;

/// The pause after an empty answer that came much sooner than the wait: a queue that does not wait must not be asked
/// in a tight loop.
const PAUSE: Duration = Duration::from_secs(1);

/// One poller.
struct Poller {
    name: WorkerName,
    /// The id of a receive whose answer was lost: on an ordered queue the next one repeats it (Q8), as the group that
    /// it may have brought stays blocked otherwise.
    unanswered: Option<Arc<str>>,
}

/// What a poll needs before it may start. Dropping it gives all three back.
struct Ready<'a> {
    turn: Turn,
    room: Reservation<'a>,
    pass: Pass<'a>,
}

impl Shared {
    /// Polls until the receiver stops. No error ends it (W7).
    pub(crate) async fn run_poller(self: Arc<Self>, name: WorkerName) {
        let mut poller = Poller { name, unanswered: None };
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return,
                ready = self.ready(&poller.name) => self.poll(&mut poller, ready).await,
            }
        }
    }

    /// Waits for the gate, then for room, then for the shared back-off.
    async fn ready(&self, name: &WorkerName) -> Ready<'_> {
        let turn = self.settings.gate.enter(name).await;
        let room = self.room.reserve().await;
        Ready { turn, room, pass: self.outage.pass().await }
    }

    async fn poll(&self, poller: &mut Poller, ready: Ready<'_>) {
        let Ready { turn, room, pass } = ready;
        let (asked, sent) = (room.asked, Instant::now());
        self.vitals.polls(&poller.name);
        let answer = self.receive(poller, asked).instrument(self.receive_span()).await;
        let waited = sent.elapsed();
        match answer {
            Ok(deliveries) => {
                pass.succeeded();
                self.vitals.succeeded(&poller.name);
                let got = deliveries.len();
                debug!(worker = %poller.name, asked, got, "received");
                let late = self.room.fill(room, self.hold(deliveries));
                self.observe();
                turn.report(Outcome::Received { asked, got, waited });
                self.give_back(late).await;
                self.pause_after(got, waited).await;
            }
            Err(error) => {
                self.ledger.failed_receives.add(1);
                warn!(worker = %poller.name, queue = self.settings.name, %error, "a receive failed");
                pass.failed(&error);
                self.vitals.failed(&poller.name, &error);
                turn.report(Outcome::Failed);
            }
        }
    }

    /// Makes one receive. It ends by its deadline (W8), and a panic in the backend is an error like others.
    async fn receive(&self, poller: &mut Poller, asked: usize) -> Result<Vec<Delivery>, QueueError> {
        let wait = self.settings.wait.min(self.limits.max_wait);
        let mut options = ReceiveOptions::new(asked).with_wait(wait).with_stop(self.stop.clone());
        options.visibility = self.settings.visibility;
        options.attempt_id =
            self.limits.ordered.then(|| poller.unanswered.take().unwrap_or_else(new_attempt_id));
        let attempt = options.attempt_id.clone();
        let deadline = wait + self.settings.call_margin;
        let call = AssertUnwindSafe(self.consumer.receive(options)).catch_unwind();
        let answer = match timeout(deadline, call).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_panic)) => Err(QueueError::indeterminate("the queue's client panicked")),
            Err(_) => Err(QueueError::indeterminate(format!("no answer to a receive within {deadline:?}"))),
        };
        if answer.as_ref().is_err_and(|error| error.kind() == QueueErrorKind::Indeterminate) {
            poller.unanswered = attempt;
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

fn new_attempt_id() -> Arc<str> {
    format!("{:032x}", fastrand::u128(..)).into()
}
