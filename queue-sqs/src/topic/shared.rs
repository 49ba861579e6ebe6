//! What the clones of a topic share.

use std::sync::Arc;
use std::time::Duration;

use aws_sdk_sns::Client;
use aws_sdk_sns::config::retry::RetryConfig;
use aws_sdk_sns::config::timeout::TimeoutConfig;
use queue_core::{Limits, Outgoing, QueueError};

pub(super) struct Shared {
    pub(super) calls: Calls,
    pub(super) arn: Arc<str>,
    pub(super) limits: Limits,
    pub(super) content_deduplication: bool,
}

/// The owner's client, and another by the same means whose calls end in time and are made once.
pub(super) struct Calls {
    /// As the owner made it, with the SDK's own retries: for what is done once.
    pub(super) setup: Client,
    /// For publishing. It repeats nothing: whoever publishes does so, and knows what was stored.
    pub(super) work: Client,
}

impl Calls {
    pub(super) fn new(setup: Client, timeout: Duration) -> Self {
        let owners = setup.config().timeout_config().map(TimeoutConfig::to_builder).unwrap_or_default();
        let timeouts = owners.operation_timeout(timeout).disable_operation_attempt_timeout();
        let config = setup.config().to_builder();
        let config = config.retry_config(RetryConfig::disabled()).timeout_config(timeouts.build());
        Self { work: Client::from_conf(config.build()), setup }
    }
}

impl Shared {
    /// Whether the topic can tell the message from others (Q9).
    pub(super) fn check_identity(&self, message: &Outgoing) -> Result<(), QueueError> {
        if !self.limits.ordered || self.content_deduplication || message.deduplication_id().is_some() {
            return Ok(());
        }
        Err(QueueError::permanent(
            "a FIFO topic needs a deduplication id on each message, or to be set to deduplicate by content",
        ))
    }
}
