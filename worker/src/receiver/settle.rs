//! What becomes of a message after its handler: deleted, hidden again, moved, or given back.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};
use futures::future::join_all;
use queue_core::{Outgoing, Publisher, PublisherExt, QueueError, QueueErrorKind, Verdict};
use tokio::time::{Instant, sleep, timeout};
use tracing::{info, warn};

use super::held::Held;
use super::shared::Shared;
use crate::account::Counter;

/// The most characters of a reason that go with a message into the dead-letter queue.
const REASON: usize = 256;

/// A publish may take as long as so many calls: it is tried again three times.
const PUBLISHES: u32 = 4;

/// What is asked of the queue.
#[derive(Clone, Copy)]
enum Settlement {
    Delete,
    Hide(Duration),
}

/// A copy of a message on its way to another queue.
struct Transfer<'a> {
    message: Outgoing,
    to: &'a dyn Publisher,
}

impl Shared {
    /// Settles one message by its handler's verdict.
    pub(crate) async fn settle(&self, held: Held, verdict: Verdict) {
        let message = held.message().id().clone();
        match verdict {
            Verdict::Done => self.finish(held, Settlement::Delete, &self.ledger.handled).await,
            Verdict::Retry { after, reason } => {
                info!(queue = self.settings.name, %message, reason = &*reason, "a message is retried");
                self.retry(held, after).await;
            }
            Verdict::Discard { reason } => {
                warn!(queue = self.settings.name, %message, reason = &*reason, "a message is discarded");
                self.discard(held, &reason).await;
            }
        }
    }

    /// Makes messages visible again at once, all together.
    pub(crate) async fn give_back(&self, batch: Vec<Held>) {
        let now = Settlement::Hide(Duration::ZERO);
        join_all(batch.into_iter().map(|held| self.finish(held, now, &self.ledger.released))).await;
    }

    /// W2: kept in its queue until its back-off ends, or moved to the retry queue.
    async fn retry(&self, held: Held, after: Option<Duration>) {
        let Some(queue) = &self.settings.retry_queue else {
            return self.hide(held, after).await;
        };
        let limits = queue.limits();
        let copy = held.message().to_outgoing();
        let copy = match after {
            Some(after) if !limits.ordered => copy.with_delay(after.min(limits.max_delay)),
            _ => copy,
        };
        self.transfer(held, Transfer { message: copy, to: &**queue }, &self.ledger.moved).await;
    }

    /// W1: deleted, after a copy was put in the dead-letter queue.
    async fn discard(&self, held: Held, reason: &str) {
        let Some(queue) = &self.settings.dead_letter else {
            return self.finish(held, Settlement::Delete, &self.ledger.discarded).await;
        };
        let copy = held.message().to_outgoing();
        let reason: String = reason.chars().filter(|c| !c.is_control()).take(REASON).collect();
        let with_reason = copy.clone().with_attribute("reason", reason);
        let copy = if queue.limits().check(&with_reason).is_ok() { with_reason } else { copy };
        self.transfer(held, Transfer { message: copy, to: &**queue }, &self.ledger.discarded).await;
    }

    async fn hide(&self, held: Held, after: Option<Duration>) {
        let count = held.message().receive_count();
        let after = after.unwrap_or_else(|| self.settings.backoff.delay(count));
        self.finish(held, Settlement::Hide(after.min(self.limits.max_visibility)), &self.ledger.retried)
            .await;
    }

    /// Publishes a copy elsewhere, then deletes the message here. It stays renewed while it is published; if that
    /// fails it is kept.
    async fn transfer(&self, held: Held, copy: Transfer<'_>, counter: &Counter) {
        let deadline = self.settings.call_margin * PUBLISHES;
        let answer = timeout(deadline, copy.to.publish_one(copy.message)).await;
        let error = match answer {
            Ok(Ok(_id)) => return self.finish(held, Settlement::Delete, counter).await,
            Ok(Err(rejected)) => rejected.into_error(),
            Err(_) => QueueError::indeterminate(format!("no answer to a publish within {deadline:?}")),
        };
        warn!(queue = self.settings.name, message = %held.message().id(), %error, "a message could not be moved");
        self.hide(held, None).await;
    }

    /// Asks the queue, again after passing errors for as long as the message is ours, and counts how it ended.
    async fn finish(&self, held: Held, settlement: Settlement, counter: &Counter) {
        let message = held.message().id().clone();
        // W6: no renewal is under way from here on, and none is sent later.
        let Some(_call) = held.lease.end().await else {
            self.ledger.lost.add(1);
            held.delivery.forget();
            return warn!(queue = self.settings.name, %message, "the message was lost before it was settled");
        };
        match self.ask(&held, settlement).await {
            Ok(()) => {
                counter.add(1);
                held.delivery.forget();
            }
            Err(error) if error.kind() == QueueErrorKind::Lost => {
                self.ledger.lost.add(1);
                held.delivery.forget();
                warn!(queue = self.settings.name, %message, %error, "the message was lost before it was settled");
            }
            Err(error) => {
                self.ledger.orphaned.add(1);
                warn!(queue = self.settings.name, %message, %error, "a message could not be settled");
            }
        }
    }

    async fn ask(&self, held: &Held, settlement: Settlement) -> Result<(), QueueError> {
        let mut pauses = ExponentialBuilder::new()
            .with_min_delay(Duration::from_millis(100))
            .with_max_delay(Duration::from_secs(5))
            .with_jitter()
            .without_max_times()
            .build();
        loop {
            let Err(error) = self.ask_once(held, settlement).await else { return Ok(()) };
            let pause = pauses.next().unwrap_or_default().max(error.retry_after().unwrap_or_default());
            if !error.kind().is_passing() || Instant::now() + pause >= held.lease.hidden_until() {
                return Err(error);
            }
            sleep(pause).await;
        }
    }

    async fn ask_once(&self, held: &Held, settlement: Settlement) -> Result<(), QueueError> {
        let (receipt, settler) = (held.delivery.receipt().clone(), held.delivery.settler());
        let deadline = self.settings.call_margin * 2 + self.settings.linger;
        let call = async {
            match settlement {
                Settlement::Delete => settler.delete(vec![receipt]).await,
                Settlement::Hide(delay) => settler.change_visibility(vec![(receipt, delay)]).await,
            }
        };
        match timeout(deadline, call).await {
            Ok(mut answer) => {
                answer.pop().unwrap_or_else(|| Err(QueueError::indeterminate("no answer for this entry")))
            }
            Err(_) => Err(QueueError::indeterminate(format!("no answer within {deadline:?}"))),
        }
    }
}
