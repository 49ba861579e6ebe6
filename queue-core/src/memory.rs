//! A queue in memory: the executable specification of a standard queue.

mod ask;
mod builder;
mod counts;
mod engine;
mod handle;
mod key;
mod line;
mod publish;
mod settings;
mod settler;
mod shared;
mod waiting;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::task::coop::consume_budget;

use crate::{
    Consumer, Delivery, Depth, Inspect, Limits, MessageId, Outgoing, Publisher, QueueError, ReceiveLimits,
    ReceiveOptions, Rejected, Settler,
};
use settings::Settings;
use shared::Shared;
use waiting::Waiting;

pub use builder::MemoryQueueBuilder;
pub use counts::MemoryCounts;

/// A standard queue in memory, on tokio's clock, so that a test can pause it.
///
/// Use it to test a handler without a cloud, or as the queue of a program that needs no other. It does what Amazon
/// SQS documents for a standard queue, where that is exact: visibility timeouts, receipts that go stale, long polls,
/// receive counts, the dead-letter queue, delays, retention, the in-flight cap and every limit. Where the service
/// is free to be vague, it is not: messages come in the order in which they became visible, once per visibility
/// timeout, as many as were asked for if they are there, and a stale receipt never does anything.
///
/// Clones are the same queue. Publishing, receiving and settling cost the logarithm of the messages stored, and
/// messages that have gone leave nothing behind.
///
/// # Guarantees
/// Q3 to Q7, Q10 to Q12.
///
/// # Drop
/// The messages go with the last clone; a [`Delivery`] counts as one.
///
/// # Examples
/// ```
/// use queue_core::{Consumer, Depth, Inspect, MemoryQueue, Outgoing, PublisherExt, ReceiveOptions};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let queue = MemoryQueue::new();
/// queue.publish_one(Outgoing::new("hello")).await?;
/// for delivery in queue.receive(ReceiveOptions::default()).await? {
///     assert_eq!(delivery.message().body(), "hello");
///     delivery.ack().await?;
/// }
/// assert_eq!(queue.depth().await?, Depth::empty());
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct MemoryQueue {
    shared: Arc<Shared>,
}

impl MemoryQueue {
    /// Makes an empty queue with the defaults of the service: visibility 30 s, retention 4 days, no delay, 120,000
    /// in flight, no dead-letter queue.
    pub fn new() -> Self {
        Self::with_settings(Settings::default())
    }

    /// Starts to set up a queue that differs from the defaults.
    pub fn builder() -> MemoryQueueBuilder {
        MemoryQueueBuilder::default()
    }

    /// What became of messages other than being deleted.
    pub fn counts(&self) -> MemoryCounts {
        self.shared.counts()
    }

    fn with_settings(settings: Settings) -> Self {
        Self { shared: Arc::new(Shared::new(settings)) }
    }

    fn shared(&self) -> &Shared {
        &self.shared
    }
}

impl Default for MemoryQueue {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemoryQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shared.fmt(f)
    }
}

#[async_trait]
impl Publisher for MemoryQueue {
    /// Publishes a batch: see [`Publisher::publish`].
    ///
    /// # Guarantees
    /// Q6, Q11.
    ///
    /// # Cancel safety
    /// Safe: all is stored or, dropped before, nothing.
    ///
    /// # Errors
    /// By entry. *Permanent*: a limit broken, or more entries or bytes in the batch than a call takes.
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        consume_budget().await;
        self.shared.publish(batch)
    }

    fn limits(&self) -> Limits {
        self.shared.settings.limits.clone()
    }
}

#[async_trait]
impl Consumer for MemoryQueue {
    /// Receives: see [`Consumer::receive`].
    ///
    /// Receives that wait are served in the order in which they came. One that is kept but not polled holds up those
    /// behind it until something else happens at the queue, or their own wait ends. Visibility zero is allowed: the
    /// message stays visible and its receipt can only delete.
    ///
    /// # Guarantees
    /// Q3, Q5, Q7. At `options.stop` it answers at once with what is there.
    ///
    /// # Cancel safety
    /// Safe: messages are taken after the last await, so that a dropped call has taken none.
    ///
    /// # Errors
    /// *Permanent*: more messages, a longer wait or a longer visibility than
    /// [`receive_limits`](Consumer::receive_limits) allow. *Transient*: the in-flight cap is reached and the wait is
    /// zero; with a wait the answer is empty instead.
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        ask::check(&options, &self.receive_limits())?;
        consume_budget().await;
        let taken = Waiting::new(&self.shared, &options).receive().await?;
        let visibility = options.visibility.unwrap_or(self.shared.settings.visibility);
        let settler: Arc<dyn Settler> = Arc::clone(&self.shared) as _;
        let deliver = |(message, receipt)| {
            Delivery::new(message, receipt, Arc::clone(&settler)).with_visibility(visibility)
        };
        Ok(taken.into_iter().map(deliver).collect())
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.shared.settings.receive_limits()
    }
}

#[async_trait]
impl Inspect for MemoryQueue {
    async fn depth(&self) -> Result<Depth, QueueError> {
        Ok(self.shared.act(|state, now| state.engine.depth(now)))
    }

    /// Removes every message, also those in flight and delayed. Later a delete succeeds, a change of visibility is
    /// *lost*.
    async fn purge(&self) -> Result<(), QueueError> {
        let purged = self.shared.act(|state, _now| state.engine.purge());
        drop(purged);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
