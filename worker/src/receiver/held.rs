//! A delivery in the receiver's hands, kept invisible until it is settled.

use queue_core::{Context, Delivery, Message};
use tracing::Span;

use super::renewal::Kept;

/// A delivery and the lease that keeps it ours.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) delivery: Delivery,
    pub(crate) lease: Kept,
}

impl Held {
    pub(crate) fn message(&self) -> &Message {
        self.delivery.message()
    }

    /// What the handler is given.
    pub(crate) fn context(&self, span: Span) -> Context {
        Context::new(self.message().clone(), self.lease.share())
            .with_cancelled(self.lease.cancelled().clone())
            .with_span(span)
    }
}
