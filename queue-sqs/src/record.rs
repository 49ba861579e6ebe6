//! What is known of a queue: where it is, and how it is set up.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_sqs::types::QueueAttributeName;
use queue_core::{Limits, QueueError, ReceiveLimits};

/// A queue's attributes by name, as the service has them.
pub(crate) type QueueAttributes = HashMap<QueueAttributeName, String>;

/// The suffix of the names of FIFO queues (`CreateQueue` in the Amazon SQS API reference).
pub(crate) const FIFO: &str = ".fifo";

/// What is known of a queue.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) name: Arc<str>,
    pub(crate) url: Arc<str>,
    /// `None` where nobody asked the service.
    pub(crate) arn: Option<Arc<str>>,
    pub(crate) content_deduplication: bool,
    pub(crate) limits: Limits,
    pub(crate) receive_limits: ReceiveLimits,
}

impl Record {
    /// Reads what the service says of the queue at `url`. What it does not say is by the service's defaults.
    pub(crate) fn read(url: &str, attributes: &QueueAttributes) -> Result<Self, QueueError> {
        use QueueAttributeName as Name;
        let name = name_of(url)?;
        let ordered = name.ends_with(FIFO);
        let mut limits = Limits::default().with_ordered(ordered);
        // Of one message; that of a call stays (Amazon SQS Developer Guide, "Amazon SQS message quotas").
        limits.message_bytes = number(attributes, &Name::MaximumMessageSize)?.unwrap_or(limits.message_bytes);
        let mut receive_limits = ReceiveLimits::default().with_ordered(ordered);
        if let Some(seconds) = number(attributes, &Name::VisibilityTimeout)? {
            receive_limits = receive_limits.with_visibility(Duration::from_secs(seconds));
        }
        let is_true = |name| attributes.get(&name).is_some_and(|value| value == "true");
        Ok(Self {
            name: name.into(),
            url: url.into(),
            arn: attributes.get(&Name::QueueArn).map(|arn| arn.as_str().into()),
            content_deduplication: is_true(Name::ContentBasedDeduplication),
            limits,
            receive_limits,
        })
    }

    /// Whether it is a FIFO queue.
    pub(crate) fn ordered(&self) -> bool {
        self.limits.ordered
    }
}

/// A queue's name is the last part of its URL ("Queue URLs" in the Amazon SQS Developer Guide).
pub(crate) fn name_of(url: &str) -> Result<&str, QueueError> {
    let path = url.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
    let name = path.and_then(|(_host, path)| path.rsplit('/').next()).filter(|name| !name.is_empty());
    name.ok_or_else(|| {
        QueueError::permanent(format!(
            "{url:?} is not the URL of a queue; one is https://sqs.<region>.amazonaws.com/<account>/<name>"
        ))
    })
}

/// The attribute `name` as a number.
pub(crate) fn number<T: FromStr>(
    attributes: &QueueAttributes,
    name: &QueueAttributeName,
) -> Result<Option<T>, QueueError> {
    let Some(text) = attributes.get(name) else { return Ok(None) };
    text.parse().map(Some).map_err(|_| {
        QueueError::indeterminate(format!(
            "the service says that a queue's {name} is {text:?}, which is no number"
        ))
    })
}
