//! The role of settling: the backend's half of a [`Delivery`](crate::Delivery).

use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;

use crate::{QueueError, Receipt};

/// Settles deliveries by their receipts.
///
/// Every settler of one consumer can settle every receipt of it: decorators settle many deliveries through one.
///
/// Each call is one call of the service: at most [`ReceiveLimits::batch`](crate::ReceiveLimits) entries, all of
/// them refused as permanent beyond that. [`Coalesced`](crate::Coalesced) takes any number and cuts it.
/// The answer has the length and the order of the batch, whatever the service's has (Q6).
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Settler: Debug + Send + Sync {
    /// Deletes the messages for good.
    ///
    /// # Guarantees
    /// Q3, Q4, Q6. Deleting what is deleted already succeeds.
    ///
    /// # Cancel safety
    /// Safe: a dropped call may or may not have deleted; what it has not comes back at its timeout.
    ///
    /// # Errors
    /// By entry. *Lost*: the delivery went to another consumer. *Indeterminate*: the answer was lost.
    async fn delete(&self, batch: Vec<Receipt>) -> Vec<Result<(), QueueError>>;

    /// Sets how long each message stays hidden from now on; zero makes it visible at once.
    ///
    /// # Guarantees
    /// Q3, Q4, Q6.
    ///
    /// # Cancel safety
    /// Safe: a dropped call may or may not have taken effect.
    ///
    /// # Errors
    /// By entry. *Lost*: the delivery's time ran out or it went to another consumer. *Permanent*: longer than
    /// [`ReceiveLimits::max_visibility`](crate::ReceiveLimits).
    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Vec<Result<(), QueueError>>;

    /// Hears that a delivery was dropped without being settled (Q12).
    ///
    /// It counts and nothing else: it is called from `Drop`, so it must not block, spawn or do I/O.
    fn abandon(&self, receipt: Receipt);
}
