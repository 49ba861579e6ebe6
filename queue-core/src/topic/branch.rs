//! A branch: a subscription in force.

use tokio_util::sync::CancellationToken;

use super::Subscription;
use super::line::Line;
use crate::{Limits, envelope};

#[derive(Debug)]
pub(super) struct Branch {
    subscription: Subscription,
    /// Cancelled when the subscription ends.
    pub(super) removed: CancellationToken,
    /// Where the deliveries to it wait for each other, if it is ordered.
    pub(super) line: Line,
}

impl Branch {
    pub(super) fn new(subscription: Subscription) -> Self {
        Self { subscription, removed: CancellationToken::new(), line: Line::default() }
    }

    pub(super) fn subscription(&self) -> &Subscription {
        &self.subscription
    }

    /// Whether it orders the messages of a group.
    pub(super) fn is_ordered(&self) -> bool {
        self.subscription.publisher().limits().ordered
    }

    /// Narrows the limits of `topic`, so that the copy of what keeps them keeps the subscriber's too.
    pub(super) fn narrow(&self, mut limits: Limits, topic: &str) -> Limits {
        let theirs = self.subscription.publisher().limits();
        let mut bytes = theirs.message_bytes.min(theirs.batch_bytes);
        if self.subscription.is_enveloped() {
            bytes = envelope::room(bytes, limits.attributes, topic);
        } else {
            limits.attributes = limits.attributes.min(theirs.attributes);
        }
        limits.message_bytes = limits.message_bytes.min(bytes);
        limits.max_delay = limits.max_delay.min(theirs.max_delay);
        limits
    }
}
