//! Receiving: which messages go out, and which are given up.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::super::key::Key;
use super::groups::{Spot, State};
use super::{Engine, Stored};
use crate::{Message, Receipt};

/// What a receive wants.
#[derive(Clone, Debug)]
pub(in crate::memory) struct Wanted {
    pub(in crate::memory) max: usize,
    pub(in crate::memory) visibility: Duration,
    /// Under which id it can be repeated; `None` on a standard queue.
    pub(in crate::memory) attempt: Option<Arc<str>>,
}

/// What a receive took out.
#[derive(Debug, Default)]
pub(in crate::memory) struct Received {
    /// For the consumer.
    pub(in crate::memory) deliveries: Vec<(Message, Receipt)>,
    /// For the dead-letter queue. They are here no longer: the caller stores them there before it lets go.
    pub(in crate::memory) dead: Vec<Stored>,
}

impl Engine {
    /// Delivers up to `wanted.max` messages: those visible longest first, or on an ordered queue those of the group
    /// whose turn it is (Q8).
    pub(in crate::memory) fn receive(&mut self, wanted: &Wanted, now: Instant) -> Received {
        self.advance(now);
        let (keys, dead) = self.pick(wanted.max.min(self.room()));
        self.dead_lettered += dead.len() as u64;
        let deliver = |&key: &Key| self.deliver(key, wanted.visibility, now);
        let deliveries = keys.iter().filter_map(deliver).collect();
        self.note_attempt(wanted, keys, now);
        Received { deliveries, dead }
    }

    /// Takes up to `most` messages out of the schedule, and for good those that were delivered too often. All are
    /// taken before the first is hidden, so that a visibility of zero doesn't deliver one twice in one receive.
    fn pick(&mut self, most: usize) -> (Vec<Key>, Vec<Stored>) {
        let (mut keys, mut dead) = (Vec::new(), Vec::new());
        let mut last = None;
        while keys.len() < most
            && let Some(key) = self.next_deliverable(&mut last)
        {
            let exhausted =
                self.messages.get(&key).is_some_and(|entry| entry.is_exhausted(self.rules.max_receive_count));
            if exhausted {
                dead.extend(self.remove(key).map(|entry| entry.stored));
            } else {
                self.take_out(key);
                keys.push(key);
            }
        }
        (keys, dead)
    }

    fn next_deliverable(&self, last: &mut Option<Spot>) -> Option<Key> {
        let Some(groups) = &self.groups else { return self.schedule.first_visible() };
        *last = groups.next(last.as_ref());
        last.as_ref().map(|spot| spot.key)
    }

    /// Takes a message out of the schedule, to be hidden next. Its group is blocked from here on.
    pub(super) fn take_out(&mut self, key: Key) {
        let Some(entry) = self.messages.get(&key) else { return };
        self.schedule.remove(entry.slot());
        if let Some(groups) = &mut self.groups {
            groups.set(entry.spot(), State::InFlight);
        }
    }

    fn deliver(&mut self, key: Key, visibility: Duration, now: Instant) -> Option<(Message, Receipt)> {
        self.hide(key, visibility, now);
        let delivery = self.deliveries.next();
        self.messages.get_mut(&key).map(|entry| entry.deliver(delivery, now))
    }

    /// Hides a message that was taken out, for `visibility` from now on; with zero it is visible again.
    pub(super) fn hide(&mut self, key: Key, visibility: Duration, now: Instant) {
        let Some(entry) = self.messages.get_mut(&key) else { return };
        entry.hide(visibility, now);
        self.schedule.hide(entry.slot(), now);
        if visibility.is_zero()
            && let Some(groups) = &mut self.groups
        {
            groups.set(entry.spot(), State::Visible);
        }
    }
}
