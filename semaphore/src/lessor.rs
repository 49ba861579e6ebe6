//! The role behind a permit: the backend's half of it.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::{PermitToken, Renewal, SemaphoreError};

/// Renews and takes back what it granted: to a [`Permit`](crate::Permit) what a settler is to a delivery.
///
/// Each call is one statement, one round trip.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Lessor: Debug + Send + Sync {
    /// Lets the lease run for `renewal.lease` from now on.
    ///
    /// # Guarantees
    /// S6: a lease that has run out is not renewed, even if nobody took the slot. S7: the backend's clock decides.
    ///
    /// # Cancel safety
    /// Safe: a dropped call may or may not have renewed.
    ///
    /// # Errors
    /// *Lost*: it has run out, or was taken, or was released by force. *Transient*, *indeterminate*: ask again.
    async fn renew(&self, token: PermitToken, renewal: Renewal) -> Result<(), SemaphoreError>;

    /// Frees the slot at once.
    ///
    /// # Guarantees
    /// S5: a stale token gets *lost* and leaves the new holder untouched; a lease that ran out is *lost* too, and the
    /// slot is free; releasing twice changes nothing.
    ///
    /// # Cancel safety
    /// Safe: a dropped call leaves the slot free or expiring (S10).
    ///
    /// # Errors
    /// *Lost*: as said. *Transient*, *indeterminate*: ask again, or leave it to expire.
    async fn release(&self, token: PermitToken) -> Result<(), SemaphoreError>;

    /// Hears that a permit was dropped without being released: its slot is free when its lease ends.
    ///
    /// It counts and nothing else: it is called from `Drop`, so it must not block, spawn or do I/O.
    fn abandon(&self, token: PermitToken);
}
