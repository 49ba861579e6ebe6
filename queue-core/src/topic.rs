//! A topic in memory: a publisher that gives each subscriber a copy.

mod branch;
mod branches;
mod courier;
mod entry;
mod fan_out;
mod fate;
mod filter;
mod group;
mod line;
mod options;
mod parcel;
mod shared;
mod subscription;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;

use crate::{Limits, MessageId, Outgoing, Publisher, QueueError, Rejected};
use shared::Shared;

pub use filter::{Condition, Filter};
pub use options::TopicOptions;
pub use subscription::Subscription;

/// A topic in memory: it gives a copy of each message to every subscribed publisher, such as a queue in memory, in a
/// database or at a cloud service. It stands in for an Amazon SNS topic, and stores nothing itself.
///
/// An entry is done when every subscriber whose filter lets it pass has stored its copy. The answer waits for that up
/// to a [deadline](TopicOptions::with_deadline); until then copies that failed for a passing reason, or panicked, are
/// sent again, to that subscriber alone. A batch is answered at once: a stuck subscriber delays no other's copy, but
/// the answer to the whole batch. [Unsubscribing](Self::unsubscribe) it ends that, and its copies are not waited for.
///
/// Unlike the service it discards nothing in silence: what one subscriber would refuse is refused before any copy is
/// sent, and what one refuses all the same fails. A message that no filter lets pass is done, and
/// [counted](Self::unmatched). Clones are the same topic.
///
/// # The message's id
/// The topic gives each message an id, answers it, and writes it into the envelope as `MessageId`. A *raw* copy has
/// body and attributes as they were published and so no place for it. A publisher whose consumers must recognise
/// repeats names the id itself, in the attribute [`MESSAGE_ID`](Self::MESSAGE_ID) (1 to 128 printable ASCII
/// characters; anything else there is an attribute as any other): it is then the id, and travels with raw copies
/// too, over every kind of queue. An entry that failed *indeterminate* is handed back with its id in that attribute,
/// where there is room, so that publishing what was handed back repeats it under the same id.
///
/// # Limits
/// [`limits`](Publisher::limits) are the topic's own, narrowed by every subscription's, whatever its filter, so that
/// whether a message can be published doesn't depend on who would get it. An envelope may be twice as large as what it
/// holds, and counts so. Batches are cut anew for each subscriber, so theirs don't narrow them.
///
/// # Order
/// A topic whose limits are [ordered](Limits::with_ordered) takes ordered subscribers, too. Each of those gets the
/// messages of a group in the order in which they were published, and all get the same order: one call at a time, at
/// most one message of a group in each, so that a message that is sent again isn't overtaken. A message refused for
/// good does not hold back its group. Where the publisher gave no deduplication id the copy has the message's id as its
/// own, so that an ordered queue stores a repeat once, and two messages of the same content twice. Standard subscribers
/// get group keys, no deduplication ids and no order.
///
/// # Guarantees
/// O17, Q6, Q11.
///
/// # Drop
/// Waits for nothing: copies on their way go on, up to their deadline, unless the runtime ends before.
///
/// # Examples
/// ```
/// use queue_core::{Depth, Filter, Inspect, MemoryQueue, MemoryTopic, Outgoing, PublisherExt, Subscription};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let topic = MemoryTopic::new("entity");
/// let (search, billing) = (MemoryQueue::new(), MemoryQueue::new());
/// topic.subscribe(Subscription::raw("search", search.clone()))?;
/// topic.subscribe(
///     Subscription::enveloped("billing", billing.clone()).with_filter(Filter::new().with("type", ["order"])),
/// )?;
/// topic.publish_one(Outgoing::new("created").with_attribute("type", "book")).await?;
/// assert_eq!((search.depth().await?.visible, billing.depth().await?.visible), (1, 0));
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct MemoryTopic {
    shared: Arc<Shared>,
}

impl MemoryTopic {
    /// The name of the attribute by which a publisher names a message's id.
    pub const MESSAGE_ID: &str = "message-id";

    /// Makes a topic without subscribers, with the default options. Envelopes give `name` as the `TopicArn`.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self::with_options(name, TopicOptions::default())
    }

    /// Makes a topic without subscribers.
    pub fn with_options(name: impl Into<Arc<str>>, options: TopicOptions) -> Self {
        Self { shared: Arc::new(Shared::new(name.into(), options)) }
    }

    /// Gives every message from now on to this subscription, too.
    ///
    /// # Errors
    /// *Permanent*: there is a subscription of that name, or its publisher is ordered and the topic is not.
    pub fn subscribe(&self, subscription: Subscription) -> Result<(), QueueError> {
        self.shared.subscribe(subscription)
    }

    /// Ends a subscription: copies on their way are given up, and not waited for. Answers whether there was one.
    pub fn unsubscribe(&self, name: &str) -> bool {
        self.shared.branches.remove(name)
    }

    /// The subscriptions, in the order in which they came.
    pub fn subscriptions(&self) -> Vec<Subscription> {
        self.shared.branches.list().iter().map(|branch| branch.subscription().clone()).collect()
    }

    /// How many messages were published that nobody was there to get, or whose attributes passed no filter.
    pub fn unmatched(&self) -> u64 {
        self.shared.unmatched()
    }

    /// Waits until no copy is on its way: for shutdown, when publishes were dropped.
    ///
    /// # Cancel safety
    /// Safe.
    pub async fn flush(&self) {
        self.shared.tasks.wait().await;
    }
}

#[async_trait]
impl Publisher for MemoryTopic {
    /// Publishes a batch: see [`Publisher::publish`] and the [topic](Self).
    ///
    /// # Guarantees
    /// O17, Q6, Q11.
    ///
    /// # Cancel safety
    /// Dropped before it was polled, nothing is sent. Dropped later, each subscriber gets its copy all the same, if it
    /// stores it before the deadline; the answer is lost.
    ///
    /// # Errors
    /// By entry. *Permanent*: a limit broken, nothing was sent; or a subscriber refused its copy for good, which others
    /// may have stored: the text tells. *Closed*: a subscriber was shut down; unsubscribe it. *Transient*: the deadline
    /// came and no subscriber has stored it. *Indeterminate*: the deadline came and some have stored it, or may have;
    /// publishing it again repeats those copies.
    ///
    /// # Panics
    /// Outside of a tokio runtime: copies are sent on tasks of their own.
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        let sent = self.shared.fan_out(batch);
        sent.answers().await
    }

    fn limits(&self) -> Limits {
        self.shared.limits()
    }
}

impl fmt::Debug for MemoryTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shared.fmt(f)
    }
}

#[cfg(test)]
mod tests;
