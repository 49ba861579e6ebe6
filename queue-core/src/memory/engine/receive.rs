//! Receiving: which messages go out, and which are given up.

use std::time::Duration;

use tokio::time::Instant;

use super::super::key::Key;
use super::{Engine, Stored};
use crate::{Message, Receipt};

/// What a receive took out.
#[derive(Debug, Default)]
pub(in crate::memory) struct Received {
    /// For the consumer.
    pub(in crate::memory) deliveries: Vec<(Message, Receipt)>,
    /// For the dead-letter queue. They are here no longer: the caller stores them there before it lets go.
    pub(in crate::memory) dead: Vec<Stored>,
}

impl Engine {
    /// Delivers up to `max` messages, hidden for `visibility`; those visible longest come first.
    pub(in crate::memory) fn receive(&mut self, max: usize, visibility: Duration, now: Instant) -> Received {
        self.advance(now);
        let (keys, dead) = self.pick(max.min(self.room()));
        self.dead_lettered += dead.len() as u64;
        let deliveries = keys.into_iter().filter_map(|key| self.deliver(key, visibility, now)).collect();
        Received { deliveries, dead }
    }

    /// Takes up to `most` messages out of the schedule, and for good those that were delivered too often. All are
    /// taken before the first is hidden, so that a visibility of zero doesn't deliver one twice in one receive.
    fn pick(&mut self, most: usize) -> (Vec<Key>, Vec<Stored>) {
        let (mut keys, mut dead) = (Vec::new(), Vec::new());
        while keys.len() < most
            && let Some(key) = self.schedule.pop_visible()
        {
            let exhausted =
                self.messages.get(&key).is_some_and(|entry| entry.is_exhausted(self.rules.max_receive_count));
            if exhausted {
                dead.extend(self.remove(key).map(|entry| entry.stored));
            } else {
                keys.push(key);
            }
        }
        (keys, dead)
    }

    fn deliver(&mut self, key: Key, visibility: Duration, now: Instant) -> Option<(Message, Receipt)> {
        let entry = self.messages.get_mut(&key)?;
        entry.hide(visibility, now);
        self.schedule.hide(entry.slot(), now);
        Some(entry.deliver(self.deliveries.next(), now))
    }
}
