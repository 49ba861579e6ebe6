//! What the clones of a topic share.

use std::sync::Arc;
use std::time::Duration;

use aws_sdk_sns::Client;
use aws_sdk_sns::config::Builder;
use aws_sdk_sns::config::retry::RetryConfig;
use queue_core::{Limits, Outgoing, QueueError};

use crate::calls::Pace;

pub(super) struct Shared {
    pub(super) calls: Calls,
    pub(super) arn: Arc<str>,
    pub(super) limits: Limits,
    pub(super) content_deduplication: bool,
}

/// The owner's client, and what each call overrides of its settings: as for [queues](crate::calls::Calls).
pub(super) struct Calls {
    pub(super) client: Client,
    pace: Pace,
}

impl Calls {
    pub(super) fn new(client: Client, timeout: Duration) -> Self {
        Self { client, pace: Pace { timeout, ..Pace::default() } }
    }

    /// What a publish is made with. The SDK repeats nothing: whoever publishes does so, and knows what was stored.
    pub(super) fn once(&self) -> Builder {
        Builder::default().retry_config(RetryConfig::disabled()).timeout_config(self.pace.once())
    }

    /// What is set up is called with: with the SDK's own retries, as the owner has set them.
    pub(super) fn repeated(&self) -> Builder {
        Builder::default().timeout_config(self.pace.repeated(self.client.config().timeout_config()))
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
