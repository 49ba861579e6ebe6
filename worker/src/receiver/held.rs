//! A delivery in the receiver's hands, kept invisible until it is settled.

use queue_core::{Context, Delivery, Message};
use tracing::Span;

use super::renewal::Kept;

/// A delivery and the lease that keeps it ours.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) delivery: Delivery,
    pub(crate) lease: Kept,
    /// How often it was tried in place, beyond its receive count.
    pub(crate) retries: u32,
}

impl Held {
    pub(crate) fn message(&self) -> &Message {
        self.delivery.message()
    }

    /// The group it belongs to.
    pub(crate) fn group(&self) -> Option<&str> {
        self.message().group_key()
    }

    /// How often it was handed to the handler.
    pub(crate) fn tries(&self) -> u32 {
        self.message().receive_count().saturating_add(self.retries)
    }

    /// What the handler is given.
    pub(crate) fn context(&self, span: Span) -> Context {
        Context::new(self.message().clone(), self.lease.share())
            .with_cancelled(self.lease.cancelled().clone())
            .with_span(span)
    }
}
