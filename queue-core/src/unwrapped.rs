//! A decorator that takes messages out of the envelope in which a topic delivers them.

use async_trait::async_trait;

use crate::{
    Consumer, Delivery, Depth, Inspect, Limits, Message, MessageId, Outgoing, Publisher, QueueError,
    ReceiveLimits, ReceiveOptions, Rejected, envelope,
};

/// Takes each message that comes out of its envelope: body and attributes are those that were published to the topic.
///
/// Put it around a queue that is subscribed [enveloped](crate::Subscription::enveloped) to a topic, here or at Amazon
/// SNS, and around no other: only where it was told so does a consumer take a body for an envelope. What the queue
/// knows of the message (receive count, sent time, group) and how it is settled stay as they are. The signature of
/// Amazon SNS is not checked: who may write to the queue is decided by the queue's policy.
///
/// [`Message::id`] is the id that the *topic* gave the message: the same in every subscribed queue, and the same
/// again when a copy is repeated (O17), which is what a consumer needs to handle a message once. If the publisher
/// [named one](crate::Attributes::message_id) it is that, which stays the same when the message is published again.
///
/// A body that is no envelope is delivered as it came, and is its handler's to judge: nothing ends, nothing is hidden
/// (W14). That is also what a message becomes which was moved, unwrapped, to a retry or dead-letter queue; so the same
/// consumer reads those too. Publishing passes through, and wraps nothing.
///
/// `Unwrapped<Coalesced<Metered<Q>>>` counts the bytes that the service bills; `Metered<Unwrapped<Q>>` those inside.
///
/// # Guarantees
/// Those of the queue.
///
/// # Cancel safety
/// That of the queue.
///
/// # Examples
/// ```
/// use queue_core::{Consumer, MemoryQueue, MemoryTopic, Outgoing, PublisherExt, ReceiveOptions, Subscription, Unwrapped};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (topic, queue) = (MemoryTopic::new("entity"), MemoryQueue::new());
/// topic.subscribe(Subscription::enveloped("search", queue.clone()))?;
/// let id = topic.publish_one(Outgoing::new("created").with_attribute("type", "book")).await?;
///
/// let queue = Unwrapped::new(queue);
/// for delivery in queue.receive(ReceiveOptions::default()).await? {
///     let message = delivery.message();
///     assert_eq!((message.id(), message.body()), (&id, "created"));
///     assert_eq!(message.attributes().text("type"), Some("book"));
///     delivery.ack().await?;
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Unwrapped<Q> {
    queue: Q,
}

impl<Q> Unwrapped<Q> {
    /// Expects envelopes in `queue`.
    pub fn new(queue: Q) -> Self {
        Self { queue }
    }

    /// The queue behind it, whose messages are still wrapped.
    pub fn queue(&self) -> &Q {
        &self.queue
    }
}

#[async_trait]
impl<Q: Consumer> Consumer for Unwrapped<Q> {
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        let deliveries = self.queue.receive(options).await?;
        Ok(deliveries.into_iter().map(|delivery| delivery.map_message(unwrap)).collect())
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.queue.receive_limits()
    }
}

#[async_trait]
impl<Q: Publisher> Publisher for Unwrapped<Q> {
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        self.queue.publish(batch).await
    }

    fn limits(&self) -> Limits {
        self.queue.limits()
    }
}

#[async_trait]
impl<Q: Inspect> Inspect for Unwrapped<Q> {
    async fn depth(&self) -> Result<Depth, QueueError> {
        self.queue.depth().await
    }

    async fn purge(&self) -> Result<(), QueueError> {
        self.queue.purge().await
    }
}

fn unwrap(wrapped: Message) -> Message {
    let Some(inner) = envelope::unwrap(wrapped.body()) else {
        tracing::debug!(message.id = %wrapped.id(), "a body that is no envelope is delivered as it came");
        return wrapped;
    };
    let mut message = Message::new(inner.id, inner.body)
        .with_attributes(inner.attributes)
        .with_receive_count(wrapped.receive_count());
    if let Some(sent_at) = wrapped.sent_at() {
        message = message.with_sent_at(sent_at);
    }
    match wrapped.group_key() {
        Some(group) => message.with_group_key(group),
        None => message,
    }
}

#[cfg(test)]
mod tests;
