//! The table of slots.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use super::slot::{Held, Slot};
use crate::{PermitToken, SemaphoreKey};

/// All slots that were ever needed and not collected since, by key and number.
#[derive(Debug, Default)]
pub(super) struct Table {
    slots: BTreeMap<(SemaphoreKey, u16), Slot>,
    /// The highest fencing token that was ever collected: slots that are made again start above it (S13).
    floor: u64,
}

impl Table {
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Gives the free slot with the lowest number below `max` to `held`, and answers its number and fencing token.
    pub(super) fn give(&mut self, (key, max): (&SemaphoreKey, u16), held: Held) -> Option<(u16, u64)> {
        let now = held.since;
        let number = self.lowest_free(key, max, now)?;
        let floor = self.floor;
        let slot = self.slots.entry((key.clone(), number)).or_insert_with(|| Slot::new(floor, now));
        slot.give(held);
        Some((number, slot.fence))
    }

    /// The first slot below `max` that is free or missing.
    fn lowest_free(&self, key: &SemaphoreKey, max: u16, now: Instant) -> Option<u16> {
        let mut lowest = 0;
        for ((_, number), slot) in self.slots.range((key.clone(), 0)..(key.clone(), max)) {
            if *number > lowest || slot.is_free(now) {
                break;
            }
            lowest += 1;
        }
        (lowest < max).then_some(lowest)
    }

    /// The slot that a token names.
    pub(super) fn slot(&mut self, token: &PermitToken) -> Option<&mut Slot> {
        self.slots.get_mut(&(token.key().clone(), token.slot()))
    }

    /// The slots of a key, by number.
    pub(super) fn slots(&self, key: &SemaphoreKey) -> impl Iterator<Item = (u16, &Slot)> {
        let range = (key.clone(), 0)..=(key.clone(), u16::MAX);
        self.slots.range(range).map(|((_, number), slot)| (*number, slot))
    }

    /// Forgets slots that have been free for `idle`, `limit` of them at most.
    pub(super) fn collect(&mut self, idle: Duration, limit: usize, now: Instant) -> u64 {
        let idle = self.slots.iter().filter(|(_, slot)| slot.is_idle(idle, now));
        let places: Vec<_> = idle.map(|(place, _)| place.clone()).take(limit).collect();
        let mut forgotten = 0;
        for slot in places.iter().filter_map(|place| self.slots.remove(place)) {
            self.floor = self.floor.max(slot.fence);
            forgotten += 1;
        }
        forgotten
    }
}
