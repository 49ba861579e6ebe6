//! Receiving: the bodies that messages point to are fetched before the messages are handed out.

use std::sync::Arc;
use std::time::Duration;

use futures::stream::{StreamExt, iter};
use queue_core::{
    Consumer, Delivery, Message, QueueError, QueueErrorKind, ReceiveLimits, ReceiveOptions, async_trait,
};
use tokio::time::{Instant, timeout};
use tracing::warn;

use super::pointer::{self, Pointer};
use super::settler::Desk;
use super::sorting::{Found, Sorted};
use super::vault::Unfetched;
use super::{AT_A_TIME, ClaimCheck};

/// How long a receive takes at most to put messages to rest; those that it doesn't reach come back at their timeout.
const RESTING: Duration = Duration::from_secs(1);

#[async_trait]
impl<Q: Consumer> Consumer for ClaimCheck<Q> {
    /// Receives: see [`Consumer::receive`].
    ///
    /// It takes up to [`with_deadline`](Self::with_deadline) and a second longer than the queue's own receive, and no
    /// more than half of the time for which the messages are hidden. A delivery's
    /// [`hidden_until`](Delivery::hidden_until) is the queue's.
    ///
    /// # Guarantees
    /// Q3, Q5, Q12. Q8: on an ordered queue a message whose body is not there yet is not overtaken by a later one of its
    /// group: that one rests too.
    ///
    /// # Cancel safety
    /// Lossy, while bodies are fetched too: the messages stay hidden until their visibility timeout ends, and count as
    /// dropped.
    ///
    /// # Errors
    /// Those of the queue. *Transient*: there were messages and none could be handed out, because the store failed.
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        let deliveries = self.queue.receive(options).await?;
        let found = self.redeem(&deliveries).await;
        let ordered = self.queue.receive_limits().ordered;
        let sorted = Sorted::new(deliveries.into_iter().zip(found), ordered);
        self.rest(sorted.resting).await;
        match sorted.failure {
            Some(error) if sorted.handed.is_empty() => Err(error),
            _ => Ok(self.hand(sorted.handed)),
        }
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.queue.receive_limits()
    }
}

impl<Q: Consumer> ClaimCheck<Q> {
    async fn redeem(&self, deliveries: &[Delivery]) -> Vec<Found> {
        let until = Instant::now() + self.vault.deadline.min(half_hidden(deliveries));
        let found: Vec<_> = deliveries.iter().map(|delivery| self.find(delivery.message(), until)).collect();
        iter(found).buffered(AT_A_TIME).collect().await
    }

    async fn find(&self, message: &Message, until: Instant) -> Found {
        let Some(pointer) = Pointer::read(message.body(), message.attributes()) else { return Found::Whole };
        let place = match self.vault.locate(&pointer) {
            Ok(place) => place,
            Err(reason) => return self.unfetched(message, (&pointer, reason)),
        };
        match self.vault.fetch(&place, until).await {
            Ok(body) => Found::Body(body, place.into_ours().filter(|_| !self.settings.keeps_bodies)),
            Err(reason) => self.unfetched(message, (&pointer, reason)),
        }
    }

    fn unfetched(&self, message: &Message, (pointer, reason): (&Pointer, Unfetched)) -> Found {
        let (id, bucket, key) = (message.id(), &*pointer.bucket, &*pointer.key);
        match reason {
            Unfetched::Broken(reason) => {
                warn!(message.id = %id, bucket, key, reason, "a message points to a body that can't be had");
                if self.settings.delivers_broken { Found::Whole } else { Found::Broken }
            }
            Unfetched::Failed(error) => {
                let cause = std::error::Error::source(&error).map(tracing::field::display);
                warn!(message.id = %id, bucket, key, %error, cause, "the body of a message was not fetched");
                Found::Failed(error)
            }
        }
    }

    fn hand(&self, sorted: Vec<(Delivery, Found)>) -> Vec<Delivery> {
        let desk = Desk::new(self.vault.clone(), Arc::clone(&self.outstanding));
        let hand = |(delivery, found): (Delivery, Found)| match found {
            Found::Body(body, path) => {
                desk.adopt(delivery.map_message(|message| whole(&message, body)), path)
            }
            _ => desk.adopt(delivery, None),
        };
        sorted.into_iter().map(hand).collect()
    }

    /// Hides messages that can't be handed out for a while, so that they are neither received again at once nor kept
    /// away for a visibility timeout of hours.
    async fn rest(&self, resting: Vec<Delivery>) {
        let Some(settler) = resting.first().map(|first| Arc::clone(first.settler())) else { return };
        let pause = self.settings.pause.min(self.queue.receive_limits().max_visibility);
        let batch = resting.iter().map(|delivery| (delivery.receipt().clone(), pause)).collect();
        let answers = timeout(RESTING, settler.change_visibility(batch)).await.unwrap_or_default();
        for (delivery, answer) in resting.into_iter().zip(answers) {
            match answer {
                Ok(()) => delivery.forget(),
                Err(error) if error.kind() == QueueErrorKind::Lost => delivery.forget(),
                Err(error) => {
                    warn!(message.id = %delivery.message().id(), %error, "a message rests until its timeout");
                }
            }
        }
    }
}

/// Half of the time for which all of them are hidden, so that the other half is left to whoever handles them. Those
/// that were never hidden don't count.
fn half_hidden(deliveries: &[Delivery]) -> Duration {
    let now = Instant::now();
    let hidden = deliveries.iter().filter(|delivery| !delivery.visibility().is_zero());
    let left = hidden.map(|delivery| delivery.hidden_until().saturating_duration_since(now));
    left.min().map_or(Duration::MAX, |left| left / 2)
}

/// The message as it was published.
fn whole(message: &Message, body: Arc<str>) -> Message {
    let mut whole = Message::new(message.id().clone(), body)
        .with_attributes(pointer::unmarked(message.attributes()))
        .with_receive_count(message.receive_count());
    if let Some(sent_at) = message.sent_at() {
        whole = whole.with_sent_at(sent_at);
    }
    match message.group_key() {
        Some(group) => whole.with_group_key(group),
        None => whole,
    }
}
