//! The role of receiving.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use crate::{Delivery, QueueError, ReceiveLimits, ReceiveOptions};

/// Receives messages from a queue.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Consumer: Debug + Send + Sync {
    /// Receives up to `options.max_messages` messages, waiting up to `options.wait` for the first.
    ///
    /// # Guarantees
    /// Q3, Q5: an empty queue gives an empty list after the wait, never an error.
    ///
    /// # Cancel safety
    /// Lossy: an answer on its way when the call is dropped may hold messages, which then stay hidden until their
    /// visibility timeout ends. Cancel `options.stop` and await instead.
    ///
    /// # Errors
    /// *Permanent*: more messages or a longer wait than [`receive_limits`](Self::receive_limits) allow.
    /// *Transient*, *indeterminate*: the call failed on its way; ask again after a pause.
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError>;

    /// What can be asked for.
    fn receive_limits(&self) -> ReceiveLimits;
}

macro_rules! delegate {
    ($pointer:ident) => {
        #[async_trait]
        impl<C: Consumer + ?Sized> Consumer for $pointer<C> {
            async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
                (**self).receive(options).await
            }

            fn receive_limits(&self) -> ReceiveLimits {
                (**self).receive_limits()
            }
        }
    };
}

delegate!(Arc);
delegate!(Box);
