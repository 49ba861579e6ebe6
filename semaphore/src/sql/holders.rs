//! Listing the holders of a key in a SQL database, and taking it from them.

use std::sync::Arc;

use async_trait::async_trait;

use super::ask::{Freed, Held};
use super::{Dialect, SqlSemaphore, micros};
use crate::{FencingToken, Holder, Holders, PermitToken, SemaphoreError, SemaphoreKey};

#[async_trait]
impl<D: Dialect> Holders for SqlSemaphore<D> {
    async fn holders(&self, key: SemaphoreKey) -> Result<Vec<Holder>, SemaphoreError> {
        let held = self.call("list the holders", D::holders, &key).await?;
        Ok(held.into_iter().map(|held| holder(&key, held)).collect())
    }

    async fn force_release(&self, token: PermitToken) -> Result<bool, SemaphoreError> {
        Ok(self.call("take a permit away", D::release, &token).await? == Freed::InTime)
    }

    async fn force_release_all(&self, key: SemaphoreKey) -> Result<u64, SemaphoreError> {
        self.call("take a key's permits away", D::release_all, &key).await
    }
}

fn holder(key: &SemaphoreKey, held: Held) -> Holder {
    let token = PermitToken::new(key.clone(), held.slot, held.token);
    let time = (micros::time(held.since_us), micros::time(held.until_us));
    Holder::new(token, FencingToken::new(held.fence), time)
        .with_context(held.context.map(Arc::from))
        .with_remaining(micros::duration(held.remaining_us))
}
