//! The role of granting permits.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use crate::{Permit, PermitRequest, SemaphoreError};

/// Grants permits, as many of a key at once as its maximum says, over any number of processes.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Semaphore: Debug + Send + Sync {
    /// Takes a permit if one is free, without waiting for another holder: one round trip, hit or miss (S2).
    ///
    /// # Guarantees
    /// S1 to S4, S7, S10, S12, S14.
    ///
    /// # Cancel safety
    /// Safe: a dropped call may have taken a slot, which is free again when its lease ends (S10).
    ///
    /// # Errors
    /// *Permanent*: the request breaks a rule (S12), or the schema is missing. *Transient*: nothing was taken.
    /// *Indeterminate*: a slot may have been taken; it is free again when its lease ends.
    async fn try_acquire(&self, request: PermitRequest) -> Result<Option<Permit>, SemaphoreError>;
}

#[async_trait]
impl<S: Semaphore + ?Sized> Semaphore for Arc<S> {
    async fn try_acquire(&self, request: PermitRequest) -> Result<Option<Permit>, SemaphoreError> {
        (**self).try_acquire(request).await
    }
}
