//! What becomes of a message after its handler: deleted, kept for another try, moved, or given up.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{Outgoing, Publisher, PublisherExt, QueueError, Verdict};
use tokio::time::timeout;
use tracing::{info, warn};

use super::finish::{Ended, Settlement};
use super::held::Held;
use super::shared::Shared;
use crate::account::Counter;

/// The most characters of a reason that go with a message into the dead-letter queue.
const REASON: usize = 256;

/// A publish may take as long as so many calls: it is tried again three times.
const PUBLISHES: u32 = 4;

/// A copy of a message on its way to another queue.
struct Transfer<'a> {
    message: Outgoing,
    to: &'a dyn Publisher,
}

impl Shared {
    /// Settles one message by its handler's verdict.
    pub(crate) async fn settle(self: &Arc<Self>, held: Held, verdict: Verdict) -> Ended {
        let (queue, message, tries) = (&self.settings.name, held.message().id().clone(), held.tries());
        match verdict {
            Verdict::Done => self.finish(held, Settlement::Delete, &self.ledger.handled).await,
            Verdict::Retry { reason, .. } if self.settings.attempts.is_some_and(|most| tries >= most) => {
                warn!(queue, message.id = %message, tries, reason = &*reason, "a message is given up");
                self.discard(held, &format!("given up after {tries} tries: {reason}")).await
            }
            Verdict::Retry { after, reason } => {
                info!(queue, message.id = %message, tries, reason = &*reason, "a message is retried");
                self.retry(held, after).await
            }
            Verdict::Discard { reason } => {
                warn!(queue, message.id = %message, reason = &*reason, "a message is discarded");
                self.discard(held, &reason).await
            }
        }
    }

    /// W2: kept in its queue until its back-off ends, or moved to the retry queue.
    async fn retry(self: &Arc<Self>, held: Held, after: Option<Duration>) -> Ended {
        let Some(queue) = &self.settings.retry_queue else { return self.keep(held, after).await };
        let limits = queue.limits();
        let copy = copy(&held, &**queue);
        let message = match after {
            Some(after) if !limits.ordered => copy.with_delay(after.min(limits.max_delay)),
            _ => copy,
        };
        self.transfer(held, Transfer { message, to: &**queue }, &self.ledger.moved).await
    }

    /// W1: deleted, after a copy was put in the dead-letter queue.
    async fn discard(self: &Arc<Self>, held: Held, reason: &str) -> Ended {
        let Some(queue) = &self.settings.dead_letter else {
            return self.finish(held, Settlement::Delete, &self.ledger.discarded).await;
        };
        let copy = copy(&held, &**queue);
        let reason: String = reason.chars().filter(|c| !c.is_control()).take(REASON).collect();
        let with_reason = copy.clone().with_attribute("reason", reason);
        let message = if queue.limits().check(&with_reason).is_ok() { with_reason } else { copy };
        self.transfer(held, Transfer { message, to: &**queue }, &self.ledger.discarded).await
    }

    /// Publishes a copy elsewhere, then deletes the message here. It stays renewed while it is published; if that
    /// fails it is kept.
    async fn transfer(self: &Arc<Self>, held: Held, copy: Transfer<'_>, counter: &Counter) -> Ended {
        let deadline = self.settings.call_margin * PUBLISHES;
        let answer = timeout(deadline, copy.to.publish_one(copy.message)).await;
        let error = match answer {
            Ok(Ok(_id)) => return self.finish(held, Settlement::Delete, counter).await,
            Ok(Err(rejected)) => rejected.into_error(),
            Err(_) => QueueError::indeterminate(format!("no answer to a publish within {deadline:?}")),
        };
        warn!(queue = self.settings.name, message.id = %held.message().id(), %error, "a message could not be moved");
        self.keep(held, None).await
    }

    /// Keeps a message for another try: in its queue, hidden until its back-off ends; in place, if others of its
    /// ordered group wait behind it.
    async fn keep(self: &Arc<Self>, held: Held, after: Option<Duration>) -> Ended {
        let after = after.unwrap_or_else(|| self.settings.backoff.delay(held.tries()));
        match self.try_rest(held, after) {
            None => Ended::Resting,
            Some(held) => {
                let hidden = Settlement::Hide(after.min(held.lease.longest()));
                self.finish(held, hidden, &self.ledger.retried).await
            }
        }
    }
}

/// A copy for another queue. An ordered one is told by the message's id what it is, so that a copy that is published
/// again is no second message, and two messages with one body are two (Q9). What has no group is a group of its own
/// there.
fn copy(held: &Held, to: &dyn Publisher) -> Outgoing {
    let (copy, id) = (held.message().to_outgoing(), held.message().id().as_str());
    if !to.limits().ordered {
        return copy;
    }
    let copy = copy.with_deduplication_id(id);
    if held.group().is_some() { copy } else { copy.with_group_key(id) }
}
