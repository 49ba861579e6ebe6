//! The role of watching a semaphore: who holds a key, and taking it from them.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use crate::{Holder, PermitToken, SemaphoreError, SemaphoreKey};

/// Watches a semaphore.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Holders: Debug + Send + Sync {
    /// Lists who holds `key`, by slot. One round trip; expired leases are not listed.
    ///
    /// # Cancel safety
    /// Safe.
    ///
    /// # Errors
    /// *Transient*, *indeterminate*: ask again.
    async fn holders(&self, key: SemaphoreKey) -> Result<Vec<Holder>, SemaphoreError>;

    /// Lists who holds each of `keys`: as many lists, in the same order.
    ///
    /// One call of [`holders`](Self::holders) for each unless the backend knows better. The first error ends it.
    ///
    /// # Cancel safety, Errors
    /// Those of [`holders`](Self::holders).
    async fn holders_of(&self, keys: Vec<SemaphoreKey>) -> Result<Vec<Vec<Holder>>, SemaphoreError> {
        let mut lists = Vec::with_capacity(keys.len());
        for key in keys {
            lists.push(self.holders(key).await?);
        }
        Ok(lists)
    }

    /// Takes a slot from its holder, who learns it at its next renewal; `false` if it did not hold it any longer.
    ///
    /// Until it learns it, two may believe that they hold the slot: only the fencing token tells them apart.
    ///
    /// # Cancel safety
    /// Safe: a dropped call may or may not have taken effect.
    ///
    /// # Errors
    /// *Transient*, *indeterminate*: ask again.
    async fn force_release(&self, token: PermitToken) -> Result<bool, SemaphoreError>;

    /// Takes every slot of `key` from its holder, and says how many.
    ///
    /// # Cancel safety, Errors
    /// Those of [`force_release`](Self::force_release).
    async fn force_release_all(&self, key: SemaphoreKey) -> Result<u64, SemaphoreError>;
}

#[async_trait]
impl<H: Holders + ?Sized> Holders for Arc<H> {
    async fn holders(&self, key: SemaphoreKey) -> Result<Vec<Holder>, SemaphoreError> {
        (**self).holders(key).await
    }

    async fn holders_of(&self, keys: Vec<SemaphoreKey>) -> Result<Vec<Vec<Holder>>, SemaphoreError> {
        (**self).holders_of(keys).await
    }

    async fn force_release(&self, token: PermitToken) -> Result<bool, SemaphoreError> {
        (**self).force_release(token).await
    }

    async fn force_release_all(&self, key: SemaphoreKey) -> Result<u64, SemaphoreError> {
        (**self).force_release_all(key).await
    }
}
