//! Listing and force, with one thing wrong.

use std::time::UNIX_EPOCH;

use async_trait::async_trait;
use semaphore::{FencingToken, Holder, Holders, PermitToken, SemaphoreError, SemaphoreKey};
use tokio::time::Instant;

use super::broken::Broken;
use super::fault::Fault;
use super::table::Row;

impl Broken {
    fn holder(&self, (key, slot): (&SemaphoreKey, u16), row: &Row) -> Option<Holder> {
        let listed = if self.fault == Fault::ListsExpired { row.id.is_some() } else { row.is_held() };
        let token = PermitToken::new(key.clone(), slot, row.id.filter(|_| listed)?);
        let lease = row.until - row.since;
        let lease = if self.fault == Fault::WrongTimes { lease / 3 } else { lease };
        Some(
            Holder::new(token, FencingToken::new(row.fence), (UNIX_EPOCH, UNIX_EPOCH + lease))
                .with_context(row.context.clone())
                .with_remaining(row.until.saturating_duration_since(Instant::now())),
        )
    }

    /// Frees what is held of a key, and says how much.
    fn force(&self, key: &SemaphoreKey, is_meant: impl Fn(u16, &Row) -> bool) -> u64 {
        let mut forced = 0;
        for ((name, slot), row) in &mut self.table().rows {
            let of_key = name == key.as_str() || self.fault == Fault::ForceOnAll;
            if of_key && is_meant(*slot, row) {
                forced += u64::from(row.is_held() || self.fault == Fault::NoForce);
                if row.is_held() && self.fault != Fault::NoForce {
                    row.free();
                }
            }
        }
        forced
    }
}

#[async_trait]
impl Holders for Broken {
    async fn holders(&self, key: SemaphoreKey) -> Result<Vec<Holder>, SemaphoreError> {
        let table = self.table();
        let rows = table.rows.iter().filter(|((name, _), _)| name == key.as_str());
        let mut holders: Vec<_> =
            rows.filter_map(|((_, slot), row)| self.holder((&key, *slot), row)).collect();
        if self.fault == Fault::Disordered {
            holders.reverse();
        }
        Ok(holders)
    }

    async fn force_release(&self, token: PermitToken) -> Result<bool, SemaphoreError> {
        let is_meant = |slot, row: &Row| {
            slot == token.slot() && (row.id == Some(token.id()) || self.fault == Fault::NoForce)
        };
        Ok(self.force(token.key(), is_meant) > 0)
    }

    async fn force_release_all(&self, key: SemaphoreKey) -> Result<u64, SemaphoreError> {
        Ok(self.force(&key, |_, _| true))
    }
}
