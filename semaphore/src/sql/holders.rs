//! Listing the holders of keys in a SQL database, and taking it from them.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;

use super::ask::{Freed, Held};
use super::{Dialect, SqlSemaphore, micros};
use crate::{FencingToken, Holder, Holders, PermitToken, SemaphoreError, SemaphoreKey};

/// How many keys one statement asks for at most: with the longest keys it has a quarter of the megabyte to which servers may
/// limit a packet.
const KEYS: usize = 500;

#[async_trait]
impl<D: Dialect> Holders for SqlSemaphore<D> {
    async fn holders(&self, key: SemaphoreKey) -> Result<Vec<Holder>, SemaphoreError> {
        let held = self.call("list the holders", D::holders, std::slice::from_ref(&key)).await?;
        Ok(held.iter().map(|held| holder(&key, held)).collect())
    }

    /// One statement for each 500 keys; all of them end by one deadline.
    async fn holders_of(&self, keys: Vec<SemaphoreKey>) -> Result<Vec<Vec<Holder>>, SemaphoreError> {
        let ends = self.ends();
        let mut by_key = HashMap::<String, Vec<Held>>::new();
        for some in keys.chunks(KEYS) {
            let (_, held) = self.call_by(ends, ("list the holders", D::holders), some).await?;
            for held in held {
                by_key.entry(held.key.clone()).or_default().push(held);
            }
        }
        let list = |key: &SemaphoreKey| by_key.get(key.as_str()).into_iter().flatten();
        Ok(keys.iter().map(|key| list(key).map(|held| holder(key, held)).collect()).collect())
    }

    async fn force_release(&self, token: PermitToken) -> Result<bool, SemaphoreError> {
        Ok(self.call("take a permit away", D::release, &token).await? == Freed::InTime)
    }

    async fn force_release_all(&self, key: SemaphoreKey) -> Result<u64, SemaphoreError> {
        self.call("take a key's permits away", D::release_all, &key).await
    }
}

fn holder(key: &SemaphoreKey, held: &Held) -> Holder {
    let token = PermitToken::new(key.clone(), held.slot, held.token);
    let time = (micros::time(held.since_us), micros::time(held.until_us));
    Holder::new(token, FencingToken::new(held.fence), time)
        .with_context(held.context.as_deref().map(Arc::from))
        .with_remaining(micros::duration(held.remaining_us))
}
