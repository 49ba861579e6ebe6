//! The role of looking into a queue and emptying it.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::QueueError;

/// How many messages a queue holds, by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Depth {
    /// Ready to be received.
    pub visible: u64,
    /// Received and not settled yet.
    pub in_flight: u64,
    /// Stored with a delay that has not ended.
    pub delayed: u64,
    /// The age of the oldest message, counted from when it was stored, where the backend knows it.
    pub oldest: Option<Duration>,
}

impl Depth {
    /// The depth of an empty queue.
    pub const fn empty() -> Self {
        Self { visible: 0, in_flight: 0, delayed: 0, oldest: None }
    }

    /// Makes a depth; the oldest age is unknown.
    pub const fn new(visible: u64, in_flight: u64, delayed: u64) -> Self {
        Self { visible, in_flight, delayed, oldest: None }
    }

    /// Sets the age of the oldest message.
    #[must_use]
    pub const fn with_oldest(mut self, oldest: Option<Duration>) -> Self {
        self.oldest = oldest;
        self
    }

    /// All messages, whatever their state.
    pub const fn total(&self) -> u64 {
        self.visible + self.in_flight + self.delayed
    }
}

/// Looks into a queue.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Inspect: Debug + Send + Sync {
    /// Counts the messages by state. Exact on embedded backends, approximate on Amazon SQS.
    ///
    /// # Cancel safety
    /// Safe.
    ///
    /// # Errors
    /// *Transient*, *indeterminate*: ask again.
    async fn depth(&self) -> Result<Depth, QueueError>;

    /// Removes every message, also those in flight; settling those later succeeds or reports *lost*.
    ///
    /// # Cancel safety
    /// Safe: a dropped call may or may not have taken effect.
    ///
    /// # Errors
    /// *Transient*, *indeterminate*: ask again.
    async fn purge(&self) -> Result<(), QueueError>;
}

macro_rules! delegate {
    ($pointer:ident) => {
        #[async_trait]
        impl<Q: Inspect + ?Sized> Inspect for $pointer<Q> {
            async fn depth(&self) -> Result<Depth, QueueError> {
                (**self).depth().await
            }

            async fn purge(&self) -> Result<(), QueueError> {
                (**self).purge().await
            }
        }
    };
}

delegate!(Arc);
delegate!(Box);
