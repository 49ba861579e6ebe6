//! The role of publishing.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use serde::Serialize;

use crate::{Limits, MessageId, Outgoing, QueueError, Rejected};

/// Publishes messages: to a queue or to a topic.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Publisher: Debug + Send + Sync {
    /// Publishes a batch in one call of the service: at most [`Limits::batch`] entries and
    /// [`Limits::batch_bytes`] bytes. [`PublisherExt::publish_all`] takes any number and cuts it.
    ///
    /// # Guarantees
    /// Q6: the answer has the length and the order of the batch. Q11: what breaks a limit is refused before anything
    /// is sent, and the rest of the batch is sent.
    ///
    /// # Cancel safety
    /// Unsafe to assume anything: a dropped call may have stored all, some or none. Publishing again can duplicate.
    ///
    /// # Errors
    /// By entry, with the message given back. *Permanent*: a limit broken. *Transient*: not stored, try again.
    /// *Indeterminate*: the answer was lost; trying again may duplicate.
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>>;

    /// What can be published.
    fn limits(&self) -> Limits;
}

/// Shorthands for [`Publisher`].
#[async_trait]
pub trait PublisherExt: Publisher {
    /// Publishes one message.
    ///
    /// # Guarantees, Cancel safety, Errors
    /// Those of [`Publisher::publish`].
    async fn publish_one(&self, message: Outgoing) -> Result<MessageId, Rejected> {
        let copy = message.clone();
        self.publish(vec![message]).await.pop().unwrap_or_else(|| {
            Err(Rejected::new(copy, QueueError::indeterminate("the backend gave no answer for this entry")))
        })
    }

    /// Publishes `value` as JSON.
    ///
    /// # Guarantees, Cancel safety
    /// Those of [`Publisher::publish`].
    ///
    /// # Errors
    /// Those of [`Publisher::publish`]; *permanent* too when `value` has no JSON form.
    async fn publish_json<T: Serialize + Sync + ?Sized>(&self, value: &T) -> Result<MessageId, QueueError> {
        Ok(self.publish_one(Outgoing::json(value)?).await.map_err(Rejected::into_error)?)
    }

    /// Publishes any number of messages, in as many calls as the limits ask for, one after the other.
    ///
    /// A failed call fails its own entries and no others; the calls before and after it stand (P34).
    ///
    /// # Guarantees, Cancel safety, Errors
    /// Those of [`Publisher::publish`].
    async fn publish_all(&self, messages: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        let mut answers = Vec::with_capacity(messages.len());
        for batch in self.limits().batches(messages) {
            answers.extend(self.publish(batch).await);
        }
        answers
    }
}

impl<P: Publisher + ?Sized> PublisherExt for P {}

macro_rules! delegate {
    ($pointer:ident) => {
        #[async_trait]
        impl<P: Publisher + ?Sized> Publisher for $pointer<P> {
            async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
                (**self).publish(batch).await
            }

            fn limits(&self) -> Limits {
                (**self).limits()
            }
        }
    };
}

delegate!(Arc);
delegate!(Box);
