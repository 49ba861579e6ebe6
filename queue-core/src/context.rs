//! What a handler is told about its message, and what it may do with the hold on it.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::Span;

use crate::{Message, QueueError};

/// The hold on a message while its handler works: the receiver's half of a [`Context`].
#[async_trait]
pub trait Hold: Debug + Send + Sync {
    /// When the message becomes visible to others if nothing extends it.
    fn hidden_until(&self) -> Instant;

    /// See [`Context::set_visibility`].
    async fn set_visibility(&self, visibility: Duration) -> Result<(), QueueError>;
}

/// What goes with a message to its handler. Owned and cheap to clone.
#[derive(Clone, Debug)]
pub struct Context {
    message: Message,
    hold: Arc<dyn Hold>,
    cancelled: CancellationToken,
    span: Span,
}

impl Context {
    /// Makes the context of `message`, held by `hold`.
    pub fn new(message: Message, hold: Arc<dyn Hold>) -> Self {
        Self { message, hold, cancelled: CancellationToken::new(), span: Span::none() }
    }

    /// Makes a context for a handler's unit test: held for ever, never cancelled.
    pub fn detached(message: Message) -> Self {
        Self::new(message, Arc::new(Detached))
    }

    /// Sets the token that tells the handler to stop.
    #[must_use]
    pub fn with_cancelled(mut self, cancelled: CancellationToken) -> Self {
        self.cancelled = cancelled;
        self
    }

    /// Sets the span in which the handler runs.
    #[must_use]
    pub fn with_span(mut self, span: Span) -> Self {
        self.span = span;
        self
    }

    /// The message as it came: its id, body, attributes, and when it was sent.
    pub fn message(&self) -> &Message {
        &self.message
    }

    /// How often the message has been delivered, this time included.
    pub fn receive_count(&self) -> u32 {
        self.message.receive_count()
    }

    /// Fires when the handler's result will not be used: the message was lost to another consumer (W5), its
    /// deadline has passed (W4), or the receiver aborts (W10).
    pub fn cancelled(&self) -> &CancellationToken {
        &self.cancelled
    }

    /// How long the message stays ours if nothing extends it. The receiver does, so it is rarely needed.
    pub fn remaining(&self) -> Duration {
        self.hold.hidden_until().saturating_duration_since(Instant::now())
    }

    /// Sets how long the message stays hidden from now on; renewal goes on from there (W6).
    ///
    /// # Guarantees
    /// W6: no late renewal overwrites it.
    ///
    /// # Cancel safety
    /// Safe: dropping the call leaves the old timeout or the new one in force. The shorter one is believed and renewed.
    ///
    /// # Errors
    /// *Lost*: the message is no longer ours. *Permanent*: zero, or longer than the queue allows. *Indeterminate*: no
    /// answer in time, which is a quarter of the shorter timeout at most; the shorter one is believed and renewed.
    pub async fn set_visibility(&self, visibility: Duration) -> Result<(), QueueError> {
        self.hold.set_visibility(visibility).await
    }

    /// The span in which the handler runs.
    pub fn span(&self) -> &Span {
        &self.span
    }
}

/// The hold of a unit test.
#[derive(Debug)]
struct Detached;

#[async_trait]
impl Hold for Detached {
    fn hidden_until(&self) -> Instant {
        Instant::now() + Duration::from_hours(12)
    }

    async fn set_visibility(&self, _visibility: Duration) -> Result<(), QueueError> {
        Ok(())
    }
}
