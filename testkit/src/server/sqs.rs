//! The service Amazon SQS: its operations by name, over memory queues.

mod attributes;
mod batch;
mod characters;
mod content;
mod create;
mod digest;
mod firsts;
mod handle;
mod input;
mod moves;
mod name;
mod page;
mod policy;
mod queue;
mod receive;
mod redrive;
mod refusal;
mod registry;
mod select;
mod send;
mod settings;
mod settle;
mod stored;
mod tags;
mod value;

use std::sync::Arc;

use queue_core::{Attributes, MemoryClock};
use serde_json::Value;
use tokio_util::task::TaskTracker;

use super::effects::Effects;
use super::error::ServiceError;
use content::Content;
pub(super) use digest::sha256;
use moves::Moves;
use name::Name;
pub(super) use name::{ACCOUNT, REGION};
use queue::Queue;
use registry::Registry;
use settle::Act;

/// The service: every message is kept by a memory queue, which is what visibility, receipts, order, deduplication,
/// retention and dead-letter moves come from. What is here are the service's own names, texts and checks.
#[derive(Debug)]
pub(super) struct Sqs {
    clock: MemoryClock,
    endpoint: String,
    queues: Arc<Registry>,
    moves: Moves,
    tasks: TaskTracker,
    policies: bool,
}

/// A topic's message on its way to one queue.
#[derive(Clone, Debug)]
pub(super) struct Copy {
    /// The body: the message itself, or its notification as JSON.
    pub(super) body: String,
    /// The message attributes of a raw copy; of others none.
    pub(super) attributes: Attributes,
    /// The group, if the publisher gave one.
    pub(super) group: Option<String>,
    /// The deduplication id for an ordered queue.
    pub(super) deduplication_id: Option<String>,
    /// The topic that sends, as the queue's policy names it.
    pub(super) topic_arn: String,
    /// The system attribute `AWSTraceHeader`.
    pub(super) trace_header: Option<String>,
}

/// Why a topic's message did not get into a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Undelivered {
    /// There is no such queue.
    NoQueue,
    /// The queue's policy does not let the topic send.
    NotAllowed,
    /// The queue refuses the message.
    Refused(ServiceError),
}

impl Sqs {
    /// Makes the service without queues. Their URLs begin with `endpoint`.
    pub(super) fn new(clock: MemoryClock, endpoint: String) -> Self {
        Self {
            clock,
            endpoint,
            queues: Arc::default(),
            moves: Moves::default(),
            tasks: TaskTracker::new(),
            policies: true,
        }
    }

    /// Sets whether a topic needs a queue's leave to send to it.
    pub(super) fn with_policies(mut self, policies: bool) -> Self {
        self.policies = policies;
        self
    }

    /// Does a call.
    ///
    /// # Cancel safety
    /// A receive that is dropped has taken nothing, unless `effects` let it go on alone.
    ///
    /// # Errors
    /// As the service refuses it.
    pub(super) async fn call(
        &self,
        operation: &str,
        input: Value,
        effects: &Effects,
    ) -> Result<Value, ServiceError> {
        match operation {
            "SendMessage" => self.send_message(input).await,
            "SendMessageBatch" => self.send_message_batch(input, effects).await,
            "ReceiveMessage" => self.receive_message(input, effects).await,
            "DeleteMessage" => self.settle(Act::Delete, input).await,
            "DeleteMessageBatch" => self.settle_batch(Act::Delete, input, effects).await,
            "ChangeMessageVisibility" => self.settle(Act::ChangeVisibility, input).await,
            "ChangeMessageVisibilityBatch" => self.settle_batch(Act::ChangeVisibility, input, effects).await,
            "GetQueueAttributes" => self.get_queue_attributes(input).await,
            "PurgeQueue" => self.purge_queue(input).await,
            "StartMessageMoveTask" => self.start_message_move_task(input).await,
            _ => self.manage(operation, input),
        }
    }

    fn manage(&self, operation: &str, input: Value) -> Result<Value, ServiceError> {
        match operation {
            "CreateQueue" => self.create_queue(input),
            "GetQueueUrl" => self.get_queue_url(input),
            "ListQueues" => self.list_queues(input),
            "DeleteQueue" => self.delete_queue(input),
            "SetQueueAttributes" => self.set_queue_attributes(input),
            "ListDeadLetterSourceQueues" => self.list_dead_letter_source_queues(input),
            "ListMessageMoveTasks" => self.list_message_move_tasks(input),
            "CancelMessageMoveTask" => self.cancel_message_move_task(input),
            "TagQueue" => self.tag_queue(input),
            "UntagQueue" => self.untag_queue(input),
            "ListQueueTags" => self.list_queue_tags(input),
            "AddPermission" | "RemovePermission" => Err(refusal::unsupported(operation)),
            _ => Err(refusal::unknown_operation(operation)),
        }
    }

    /// Whether an operation manages queues; the others send, receive and settle.
    pub(super) fn is_setup(operation: &str) -> bool {
        !matches!(
            operation,
            "SendMessage"
                | "SendMessageBatch"
                | "ReceiveMessage"
                | "DeleteMessage"
                | "DeleteMessageBatch"
                | "ChangeMessageVisibility"
                | "ChangeMessageVisibilityBatch"
        )
    }

    /// Stores a topic's copy.
    ///
    /// # Errors
    /// There is no such queue, its policy does not let the topic send, or it refuses the message.
    pub(super) async fn deliver(&self, queue_arn: &str, copy: Copy) -> Result<(), Undelivered> {
        let queue = self.queues.by_arn(queue_arn).ok_or(Undelivered::NoQueue)?;
        let settings = queue.settings();
        let policy = settings.document("Policy");
        if self.policies && !policy::lets_send(policy.as_ref(), &queue.name.arn, &copy.topic_arn) {
            return Err(Undelivered::NotAllowed);
        }
        let content = Content::of_topic(copy, &settings).map_err(Undelivered::Refused)?;
        send::store(&queue, content).await.map(drop).map_err(Undelivered::Refused)
    }

    /// The queue that a call names.
    fn queue(&self, url: Option<String>) -> Result<Arc<Queue>, ServiceError> {
        let url = input::required(url, "QueueUrl")?;
        self.queues.get(Name::in_url(&url)).ok_or_else(refusal::no_queue)
    }
}
