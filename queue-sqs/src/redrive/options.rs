//! How the service shall redrive.

use std::num::NonZeroU16;

use crate::SqsQueue;

/// How the service shall move messages: see [`SqsQueue::start_redrive`].
///
/// By default each goes back to the queue that it came from, as fast as the service likes.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct RedriveOptions {
    pub(super) target: Option<SqsQueue>,
    pub(super) most_per_second: Option<NonZeroU16>,
}

impl RedriveOptions {
    /// Moves each message back to the queue that it came from.
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves all messages to `target`.
    pub fn with_target(mut self, target: &SqsQueue) -> Self {
        self.target = Some(target.clone());
        self
    }

    /// Moves no more than so many messages a second; the service allows 500 (`StartMessageMoveTask` in the Amazon SQS
    /// API reference).
    pub const fn with_most_per_second(mut self, messages: NonZeroU16) -> Self {
        self.most_per_second = Some(messages);
        self
    }
}
