//! Who holds the slots of a memory semaphore.

use async_trait::async_trait;
use tokio::task::coop::consume_budget;
use tokio::time::Instant;

use super::MemorySemaphore;
use super::shared::{Shared, count};
use super::slot::{Held, Slot};
use super::table::Table;
use crate::{FencingToken, Holder, Holders, PermitToken, SemaphoreError, SemaphoreKey};

#[async_trait]
impl Holders for MemorySemaphore {
    async fn holders(&self, key: SemaphoreKey) -> Result<Vec<Holder>, SemaphoreError> {
        consume_budget().await;
        let shared = self.shared();
        Ok(shared.act(|table, now| shared.holders(table, &key, now)))
    }

    /// All of them at one moment.
    async fn holders_of(&self, keys: Vec<SemaphoreKey>) -> Result<Vec<Vec<Holder>>, SemaphoreError> {
        consume_budget().await;
        let shared = self.shared();
        Ok(shared.act(|table, now| keys.iter().map(|key| shared.holders(table, key, now)).collect()))
    }

    async fn force_release(&self, token: PermitToken) -> Result<bool, SemaphoreError> {
        consume_budget().await;
        let forced = self.shared().act(|table, now| take(table, &token, now));
        count(&self.shared().forced, u64::from(forced));
        Ok(forced)
    }

    async fn force_release_all(&self, key: SemaphoreKey) -> Result<u64, SemaphoreError> {
        consume_budget().await;
        let forced = self.shared().act(|table, now| {
            let held = table.slots(&key).filter_map(|(number, slot)| Some((number, slot.holder(now)?.id)));
            let tokens: Vec<_> = held.map(|(number, id)| PermitToken::new(key.clone(), number, id)).collect();
            tokens.iter().filter(|token| take(table, token, now)).count() as u64
        });
        count(&self.shared().forced, forced);
        Ok(forced)
    }
}

/// Takes a slot from its holder; `false` if its lease has ended, or it is another's.
fn take(table: &mut Table, token: &PermitToken, now: Instant) -> bool {
    table.slot(token).and_then(|slot| slot.take(token.id(), now)) == Some(true)
}

impl Shared {
    fn holders(&self, table: &Table, key: &SemaphoreKey, now: Instant) -> Vec<Holder> {
        let held = table.slots(key).filter_map(|place| Some((place, place.1.holder(now)?)));
        let holder = |((number, slot), held): ((u16, &Slot), &Held)| {
            self.holder(PermitToken::new(key.clone(), number, held.id), (slot, held), now)
        };
        held.map(holder).collect()
    }

    fn holder(&self, token: PermitToken, (slot, held): (&Slot, &Held), now: Instant) -> Holder {
        let span = (self.clock.at(held.since), self.clock.at(held.until));
        Holder::new(token, FencingToken::new(slot.fence), span)
            .with_context(held.context.clone())
            .with_remaining(held.until - now)
    }
}
