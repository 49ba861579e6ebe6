//! A queue in memory: the executable specification of a standard queue and of an ordered one.

mod builder;
mod change;
mod clock;
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
pub use clock::MemoryClock;
pub use counts::MemoryCounts;

/// A queue in memory, on tokio's clock, so that a test can pause it; a standard one unless
/// [`ordered`](MemoryQueueBuilder::ordered) is set. In real time its clock can be moved forward: [`MemoryClock`].
///
/// Use it to test a handler without a cloud, or as the queue of a program that needs no other. It does what Amazon
/// SQS documents, where that is exact: visibility timeouts, receipts that go stale, long polls,
/// receive counts, the dead-letter queue, delays, retention, the in-flight cap and every limit. Where the service
/// is free to be vague, it is not: messages come in the order in which they became visible, once per visibility
/// timeout, as many as were asked for if they are there, and a stale receipt never does anything.
///
/// An ordered queue is what Amazon SQS calls FIFO. A receive takes as many as it may of the group whose turn it is,
/// then of the next; groups take turns by since when they can be received from, so that a long group does not starve
/// the others. The head of a group is not passed over, whatever it waits for, and a receipt is *lost* once its message
/// is visible again, also for a delete (P1).
///
/// Clones are the same queue. Publishing, receiving and settling cost the logarithm of the messages stored, and
/// messages that have gone leave nothing behind.
///
/// # Guarantees
/// Q3 to Q7, Q10 to Q12; Q8 and Q9 when it is ordered.
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

    /// Sets a queue that is in use to what the builder says, all of it, also for the messages that it holds: their
    /// retention, and how often they may be delivered. Delays and visibility timeouts that have begun stay as they are.
    ///
    /// The queue keeps its clock if the builder names none.
    ///
    /// # Errors
    /// *Permanent*, and nothing is changed: what [`build`](MemoryQueueBuilder::build) refuses, a queue of the other
    /// kind, another clock, or a dead-letter queue that leads back to this queue.
    pub fn reconfigure(&self, builder: MemoryQueueBuilder) -> Result<(), QueueError> {
        change::apply(self, builder.into_settings())
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
    /// An ordered queue answers a duplicate with the id of the first message and stores nothing, for five minutes
    /// from that one, also when it was deleted or purged since. The scope is the queue, not the group. Duplicates
    /// are told by their deduplication id or, where the queue is set to it and there is none, by their body.
    ///
    /// # Guarantees
    /// Q6, Q9, Q11.
    ///
    /// # Cancel safety
    /// Safe: all is stored or, dropped before, nothing.
    ///
    /// # Errors
    /// By entry. *Permanent*: a limit broken, or more entries or bytes in the batch than a call takes; on an ordered
    /// queue nothing to tell the message from others by.
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        consume_budget().await;
        self.shared.publish(batch)
    }

    fn limits(&self) -> Limits {
        self.shared.settings().limits()
    }
}

#[async_trait]
impl Consumer for MemoryQueue {
    /// Receives: see [`Consumer::receive`].
    ///
    /// Receives that wait are served in the order in which they came. One that is kept but not polled holds up those
    /// behind it until something else happens at the queue, or their own wait ends. Visibility zero is allowed: the
    /// message stays visible and its receipt can only delete, on an ordered queue not even that.
    ///
    /// On an ordered queue a receive under the attempt id of an earlier one repeats it at once, within five minutes
    /// and for as long as none of its messages was deleted, became visible or had its visibility changed: the same
    /// messages, receipts and receive counts, hidden anew. If it asks for fewer than that, the last of them are
    /// visible again. An id that is worth nothing any longer is a new one here; the service may also refuse it.
    ///
    /// # Guarantees
    /// Q3, Q5, Q7, Q8. At `options.stop` it answers at once with what is there.
    ///
    /// # Cancel safety
    /// Safe: messages are taken after the last await, so that a dropped call has taken none.
    ///
    /// # Errors
    /// *Permanent*: more messages, a longer wait or a longer visibility than
    /// [`receive_limits`](Consumer::receive_limits) allow, or an attempt id that the service would refuse. *Transient*: the in-flight cap is reached and the wait is
    /// zero; with a wait the answer is empty instead.
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        self.receive_limits().check(&options)?;
        consume_budget().await;
        let taken = Waiting::new(&self.shared, &options).receive().await?;
        let visibility = options.visibility.unwrap_or(self.shared.settings().visibility);
        let settler: Arc<dyn Settler> = Arc::clone(&self.shared) as _;
        let deliver = |(message, receipt)| {
            Delivery::new(message, receipt, Arc::clone(&settler)).with_visibility(visibility)
        };
        Ok(taken.into_iter().map(deliver).collect())
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.shared.settings().receive_limits()
    }
}

#[async_trait]
impl Inspect for MemoryQueue {
    async fn depth(&self) -> Result<Depth, QueueError> {
        Ok(self.shared.act(|state, now| state.engine.depth(now)))
    }

    /// Removes every message, also those in flight and delayed. Later a delete succeeds, a change of visibility is
    /// *lost*, and what was purged still counts as published before (Q9).
    async fn purge(&self) -> Result<(), QueueError> {
        let purged = self.shared.act(|state, _now| state.engine.purge());
        drop(purged);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
