//! A queue on Amazon SQS.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use aws_sdk_sqs::Client;
use queue_core::{
    Consumer, Delivery, Limits, MessageId, Outgoing, Publisher, QueueError, ReceiveLimits, ReceiveOptions,
    Rejected,
};

use crate::SqsQueueBuilder;
use crate::calls::Calls;
use crate::record::Record;

/// A queue on Amazon SQS: standard, or FIFO if its name ends in `.fifo`.
///
/// One call of a trait is one request: the SDK's own retries are off for the roles. Failing receives are paced by
/// whoever polls, for all pollers of a queue together (W7), and failing entries are sent again by
/// [`Coalesced`](queue_core::Coalesced). Each request ends in time (W8): a receive five seconds after its wait, any other
/// after ten, unless the builder says otherwise; the client's own time-outs for operations and attempts don't apply.
///
/// Clones are the same queue; any number of processes may use it.
///
/// # Durations
/// The service takes whole seconds. Waits, visibility timeouts and delays are rounded up, so that nothing ends before it
/// was to; zero stays zero. So a wait of 250 ms waits for up to a second.
///
/// # The stop token
/// A receive that waits goes on until the service has answered (Q5): it can't be told to hurry, and a receive that is
/// dropped may take messages along, which stay hidden until their time ends. Await it; where a stop has to be
/// quick, wait for less than 20 s. A receive that begins after the stop does not wait.
///
/// # Receipts
/// A FIFO queue refuses a delete after the delivery's time ran out: *lost* (P1). A standard queue answers every delete
/// with success, and may or may not have deleted when the message was given to somebody else since: it can't be
/// told (Q4). Don't take the success of a late delete for a proof that nobody else handled the message. Visibility
/// changes are told: *lost* on both.
///
/// # Groups in a batch
/// On a FIFO queue each entry of a batch is stored or not by itself: if one fails for a passing reason, a later one of its
/// group may be stored before it is sent again. Where that matters, publish a group's messages one by one.
///
/// # Guarantees
/// Q3, Q5, Q6, Q7, Q10 to Q12; Q4 as above; Q8 and Q9 when it is a FIFO queue. Fair queues: a group key on a standard
/// queue marks the tenant.
///
/// # Drop
/// Nothing: the messages are at the service.
#[derive(Clone)]
pub struct SqsQueue {
    pub(crate) shared: Arc<Shared>,
}

/// What the clones of a queue, and its deliveries, share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) calls: Calls,
    pub(crate) record: Record,
    pub(crate) unsettled: AtomicU64,
}

impl SqsQueue {
    /// Starts to set up a queue that is called through `client`.
    pub fn builder(client: Client) -> SqsQueueBuilder {
        SqsQueueBuilder::new(client)
    }

    pub(crate) fn new(calls: Calls, record: Record) -> Self {
        Self { shared: Arc::new(Shared { calls, record, unsettled: AtomicU64::new(0) }) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.shared.record.name
    }

    /// Its URL.
    pub fn url(&self) -> &str {
        &self.shared.record.url
    }

    /// Its ARN; `None` if it was built by [`assume`](SqsQueueBuilder::assume).
    pub fn arn(&self) -> Option<&str> {
        self.shared.record.arn.as_deref()
    }

    /// How many deliveries this process dropped without settling them (Q12).
    pub fn unsettled_drops(&self) -> u64 {
        self.shared.unsettled.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl Publisher for SqsQueue {
    /// Publishes a batch, also one of a single message, by one `SendMessageBatch`: see [`Publisher::publish`].
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        self.shared.publish(batch).await
    }

    fn limits(&self) -> Limits {
        self.shared.record.limits.clone()
    }
}

#[async_trait]
impl Consumer for SqsQueue {
    /// Receives by one `ReceiveMessage`: see [`Consumer::receive`]. A standard queue often brings fewer than are there.
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        self.shared.receive(options).await
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.shared.record.receive_limits.clone()
    }
}

/// Says nothing of the client: it knows credentials.
impl fmt::Debug for SqsQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqsQueue").field("name", &self.name()).finish_non_exhaustive()
    }
}
