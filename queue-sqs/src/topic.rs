//! A topic at Amazon SNS: a publisher that gives each subscribed queue a copy.

mod builder;
mod changes;
mod convert;
mod grant;
mod lookup;
mod policy;
mod publish;
mod settings;
mod shared;
mod subscribe;
mod subscription;
mod unsubscribe;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use aws_sdk_sns::Client;
use queue_core::{Limits, MessageId, Outgoing, Publisher, QueueError, Rejected};

use crate::SqsQueue;
use shared::Shared;

pub use builder::SnsTopicBuilder;
pub use settings::SnsTopicSettings;
pub use subscription::SnsSubscription;

/// A topic at Amazon SNS, standard or FIFO: it gives a copy of each message to every queue that is
/// [subscribed](Self::subscribe) to it and whose filter lets the message pass.
///
/// An entry is done when the *service* has stored it. Copies are made after that, by the service, which tries again for
/// days what can't be delivered; what no queue can take it gives to the subscription's own
/// [dead-letter queue](SnsSubscription::with_dead_letter_queue), or discards. That is what sets it apart from a
/// [`MemoryTopic`](queue_core::MemoryTopic), whose answer waits for the subscribers.
///
/// Clones are the same topic.
///
/// # The message's id
/// The service gives each message an id, answers it, and writes it into the envelope as `MessageId`. A *raw* copy has body
/// and attributes only, and the queue gives it an id of its own. A message that is published again, because the answer was
/// lost, gets another id in either form.
///
/// A publisher whose consumers must recognise repeats names the id itself, in the attribute
/// [`MESSAGE_ID`](queue_core::MemoryTopic::MESSAGE_ID) (1 to 128 printable ASCII characters; anything else there is an
/// attribute as any other). It is then what is answered, and travels with every copy as that attribute, which
/// consumers compare; [`Unwrapped`](queue_core::Unwrapped) takes it for the message's id.
///
/// # Limits
/// 10 messages a call; 262,144 bytes a message and a call, attributes included, unless the topic's `MaximumMessageSize` says
/// otherwise, up to 1,048,576 (`PublishBatch` in the Amazon SNS API reference); 10 attributes, because the service discards
/// raw copies with more, in silence (P52); no delays. What a queue takes less of is not known here, and an envelope is larger
/// than what it holds: with both set to 1 MiB, use raw copies.
///
/// # Order
/// A FIFO topic is [ordered](Limits::with_ordered): every message needs a group key, and a deduplication id unless the topic
/// deduplicates by content. FIFO queues get the messages of a group in the order in which they were published. An entry of a
/// batch can fail while a later one of its group is stored; where that matters, publish the next of a group when the one
/// before it is done. On a standard topic a group key marks the tenant, for fair queues, and orders nothing.
///
/// # Cost
/// A standard topic bills each 64 KiB of a call as a request, whether it has one message or ten, and no deliveries to
/// queues; the queues bill their own calls.
///
/// # Guarantees
/// Q6, Q9 on FIFO topics, Q11; of O17 that each queue gets its own copy.
///
/// # Drop
/// Nothing: the messages are at the service.
///
/// # Examples
/// ```no_run
/// use queue_core::{Filter, Outgoing, PublisherExt};
/// use queue_sqs::{SnsSubscription, SnsTopic, SqsQueue};
///
/// # async fn example(sns: aws_sdk_sns::Client, sqs: aws_sdk_sqs::Client) -> Result<(), queue_core::QueueError> {
/// let topic = SnsTopic::builder(sns).name("entity").build().await?;
/// let search = SqsQueue::builder(sqs).name("search").build().await?;
/// let books = Filter::new().with("type", ["book"]);
/// topic.subscribe(SnsSubscription::raw(&search).with_filter(books)).await?;
///
/// let created = Outgoing::new("created").with_attribute("type", "book");
/// topic.publish_one(created).await.map_err(|rejected| rejected.into_error())?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct SnsTopic {
    shared: Arc<Shared>,
}

impl SnsTopic {
    /// Starts to open, or to make, a topic. The client is yours: region, credentials and HTTP client are set there.
    pub fn builder(client: Client) -> SnsTopicBuilder {
        SnsTopicBuilder::new(client)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.arn().rsplit(':').next().unwrap_or_default()
    }

    /// Its ARN.
    pub fn arn(&self) -> &str {
        &self.shared.arn
    }

    /// Subscribes a queue, and lets the topic send to it: the queue's policy gets a statement for this topic, unless it is
    /// there already. Other statements stay. A queue that is subscribed already is set to what is asked for now.
    ///
    /// The policy comes first, so that no message is lost in between. Where a filter for bodies takes the place of one for
    /// attributes, or the other way round, everything passes for a moment, or until subscribing again if a call fails
    /// in between. The policy is read, changed and written back, as the service
    /// offers nothing better: let nobody else change the policy of the same queue at the same time. The service may take
    /// a minute until a change is in force everywhere (`SetQueueAttributes` in the Amazon SQS API reference), a filter's
    /// fifteen (Amazon SNS Developer Guide, "Subscription filter policies").
    ///
    /// A queue of another account is subscribed by its owner, with a client of that account. A queue that is encrypted under
    /// a key of KMS gets nothing unless the key's policy lets Amazon SNS use it, which isn't done here ("Configure KMS
    /// permissions for AWS services" in the Amazon SQS Developer Guide).
    ///
    /// # Cancel safety
    /// Safe: what was done stays, and subscribing again does the rest.
    ///
    /// # Errors
    /// *Permanent*: a FIFO queue and a standard topic; a filter that can't be said in a policy, or is not allowed; a queue's
    /// policy that is not understood or is full. *Transient*: the topic or the queue doesn't exist, or the caller may not do this.
    /// *Indeterminate*: subscribe again.
    pub async fn subscribe(&self, subscription: SnsSubscription) -> Result<(), QueueError> {
        self.shared.subscribe(&subscription).await
    }

    /// Ends a queue's subscription, and takes the statement that lets this topic send out of the queue's policy, if it is
    /// there. Answers whether there was a subscription. Copies on their way may still come.
    ///
    /// # Cancel safety
    /// Safe: what was done stays, and unsubscribing again does the rest.
    ///
    /// # Errors
    /// By kind, as [`subscribe`](Self::subscribe).
    pub async fn unsubscribe(&self, queue: &SqsQueue) -> Result<bool, QueueError> {
        self.shared.unsubscribe(queue).await
    }
}

#[async_trait]
impl Publisher for SnsTopic {
    /// Publishes a batch, in one call of `PublishBatch`: see [`Publisher::publish`] and the [topic](Self).
    ///
    /// The SDK's own retries are off: an entry that failed for a passing reason is handed back, for
    /// [`Coalesced`](queue_core::Coalesced) or its caller to send again.
    ///
    /// # Guarantees
    /// Q6, Q11.
    ///
    /// # Cancel safety
    /// Unsafe: a dropped call may have stored all, some or none.
    ///
    /// # Errors
    /// By entry. *Permanent*: a limit broken, nothing was sent; or the service refused the entry. *Transient*: not stored.
    /// *Indeterminate*: the answer was lost; publishing again may duplicate, on a FIFO topic within five minutes it does not.
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        self.shared.publish(batch).await
    }

    fn limits(&self) -> Limits {
        self.shared.limits.clone()
    }
}

/// Names the topic; the client stays unseen.
impl fmt::Debug for SnsTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SnsTopic")
            .field("arn", &self.shared.arn)
            .field("limits", &self.shared.limits)
            .finish_non_exhaustive()
    }
}
