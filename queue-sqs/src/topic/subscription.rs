//! A subscription: which queue gets a topic's messages, which of them, and in what form.

use std::collections::HashMap;

use queue_core::{Filter, Publisher, QueueError};
use serde_json::json;

use super::grant;
use crate::SqsQueue;

/// A subscription of a queue to an [`SnsTopic`](crate::SnsTopic). Cheap to clone.
#[derive(Clone, Debug)]
pub struct SnsSubscription {
    queue: SqsQueue,
    enveloped: bool,
    filter: Choice,
    dead_letter: Option<DeadLetter>,
    with_policy: bool,
}

/// Which messages it gets.
#[derive(Clone, Debug)]
enum Choice {
    Filter(Filter),
    Attributes(String),
    Body(String),
}

/// Where copies go that can't be delivered.
#[derive(Clone, Debug)]
enum DeadLetter {
    Queue(SqsQueue),
    Arn(String),
}

impl SnsSubscription {
    /// Subscribes `queue` to the messages as they are: body and attributes.
    pub fn raw(queue: &SqsQueue) -> Self {
        Self {
            queue: queue.clone(),
            enveloped: false,
            filter: Choice::Filter(Filter::new()),
            dead_letter: None,
            with_policy: true,
        }
    }

    /// Subscribes `queue` to the messages in an envelope: a body of JSON that holds body, attributes and the topic's message
    /// id, and a signature. The consumer takes them out with [`Unwrapped`](queue_core::Unwrapped).
    pub fn enveloped(queue: &SqsQueue) -> Self {
        Self { enveloped: true, ..Self::raw(queue) }
    }

    /// Sets which messages it gets, by their attributes; all, unless set.
    ///
    /// The service compares numbers of up to five decimals between -10⁹ and 10⁹, and takes five attributes and 150
    /// combinations of their conditions (Amazon SNS Developer Guide, "Filter policy constraints").
    #[must_use]
    pub fn with_filter(mut self, filter: Filter) -> Self {
        self.filter = Choice::Filter(filter);
        self
    }

    /// Sets which messages it gets, by a filter policy for attributes as the service writes it: for what
    /// [`Filter`] doesn't speak, such as `$or`, `wildcard` and `cidr`.
    #[must_use]
    pub fn with_filter_policy(mut self, policy: impl Into<String>) -> Self {
        self.filter = Choice::Attributes(policy.into());
        self
    }

    /// Sets which messages it gets, by a filter policy for bodies, which have to be JSON objects.
    #[must_use]
    pub fn with_body_filter_policy(mut self, policy: impl Into<String>) -> Self {
        self.filter = Choice::Body(policy.into());
        self
    }

    /// Gives what can't be delivered to `queue`, a FIFO queue for a FIFO topic, and lets the topic send there, too. Without one it is
    /// discarded.
    #[must_use]
    pub fn with_dead_letter_queue(mut self, queue: &SqsQueue) -> Self {
        self.dead_letter = Some(DeadLetter::Queue(queue.clone()));
        self
    }

    /// Gives what can't be delivered to the queue of this ARN, whose policy is left alone.
    #[must_use]
    pub fn with_dead_letter_arn(mut self, arn: impl Into<String>) -> Self {
        self.dead_letter = Some(DeadLetter::Arn(arn.into()));
        self
    }

    /// Leaves the policies of the queues alone: for those that are kept elsewhere, and for a queue of many topics, as a
    /// policy has room for 20 statements and 8,192 bytes, and one statement can let all of them send (Amazon SQS Developer
    /// Guide, "Amazon SQS policy quotas"). Without a statement that lets the topic send, a queue gets nothing, and nobody is
    /// told.
    #[must_use]
    pub fn without_policy(mut self) -> Self {
        self.with_policy = false;
        self
    }

    /// Whether its queue is a FIFO queue.
    pub(super) fn is_ordered(&self) -> bool {
        self.queue.limits().ordered
    }

    /// The ARNs of its queue and of its dead-letter queue.
    pub(super) async fn arns(&self) -> Result<(String, Option<String>), QueueError> {
        let dead_letter = match &self.dead_letter {
            None => None,
            Some(DeadLetter::Arn(arn)) => Some(arn.clone()),
            Some(DeadLetter::Queue(queue)) => Some(grant::arn(queue).await?),
        };
        Ok((grant::arn(&self.queue).await?, dead_letter))
    }

    /// The queues whose policies are to let the topic send.
    pub(super) fn granting(&self) -> impl Iterator<Item = &SqsQueue> {
        let dead_letter = match &self.dead_letter {
            Some(DeadLetter::Queue(queue)) => Some(queue),
            _ => None,
        };
        dead_letter.into_iter().chain([&self.queue]).filter(|_| self.with_policy)
    }

    /// The attributes that it is to have, by the names that `Subscribe` gives them.
    pub(super) fn attributes(
        &self,
        dead_letter: Option<&str>,
    ) -> Result<HashMap<&'static str, String>, QueueError> {
        let mut attributes = HashMap::from([("RawMessageDelivery", (!self.enveloped).to_string())]);
        let (scope, policy) = match &self.filter {
            Choice::Filter(filter) => ("MessageAttributes", filter.to_policy()?),
            Choice::Attributes(policy) => ("MessageAttributes", policy.clone()),
            Choice::Body(policy) => ("MessageBody", policy.clone()),
        };
        if policy != "{}" {
            attributes.extend([("FilterPolicy", policy), ("FilterPolicyScope", scope.to_owned())]);
        }
        if let Some(arn) = dead_letter {
            attributes.insert("RedrivePolicy", json!({ "deadLetterTargetArn": arn }).to_string());
        }
        Ok(attributes)
    }
}
