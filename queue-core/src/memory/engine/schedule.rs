//! When each message is visible.

use std::collections::BTreeSet;

use tokio::time::Instant;

use super::super::key::Key;
use crate::Depth;

/// A message's place in the schedule: when it is visible, and which it is.
pub(super) type Slot = (Instant, Key);

/// The messages by state, each state in the order in which its messages become visible.
///
/// A message has one slot. What is visible keeps the slot it became visible at, so that the longest visible is
/// first. Every operation costs the logarithm of the messages, and nothing is left behind by what has gone.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    visible: BTreeSet<Slot>,
    in_flight: BTreeSet<Slot>,
    delayed: BTreeSet<Slot>,
}

impl Schedule {
    /// Makes visible the first message that is due, and says which it was.
    pub(super) fn show_next(&mut self, now: Instant) -> Option<Key> {
        let [in_flight, delayed] = [&self.in_flight, &self.delayed].map(|hidden| hidden.first().copied());
        let first = in_flight.into_iter().chain(delayed).min().filter(|&(at, _)| at <= now)?;
        self.remove(first);
        self.visible.insert(first);
        Some(first.1)
    }

    /// Enters a message that was not delivered yet.
    pub(super) fn store(&mut self, slot: Slot, now: Instant) {
        if slot.0 <= now {
            self.visible.insert(slot)
        } else {
            self.delayed.insert(slot)
        };
    }

    /// Enters a message that was delivered.
    pub(super) fn hide(&mut self, slot: Slot, now: Instant) {
        if slot.0 <= now {
            self.visible.insert(slot)
        } else {
            self.in_flight.insert(slot)
        };
    }

    /// The message that has been visible longest.
    pub(super) fn first_visible(&self) -> Option<Key> {
        self.visible.first().map(|&(_, key)| key)
    }

    /// Takes a message out, whatever its state.
    pub(super) fn remove(&mut self, slot: Slot) {
        let _found = self.visible.remove(&slot) || self.in_flight.remove(&slot) || self.delayed.remove(&slot);
    }

    /// Whether a message is in the hands of a consumer.
    pub(super) fn is_in_flight(&self, slot: Slot) -> bool {
        self.in_flight.contains(&slot)
    }

    /// Whether a message is there to be delivered.
    pub(super) fn has_visible(&self) -> bool {
        !self.visible.is_empty()
    }

    /// How many are in the hands of consumers.
    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.len()
    }

    /// When the next message becomes visible by itself.
    pub(super) fn next(&self) -> Option<Instant> {
        [&self.in_flight, &self.delayed]
            .into_iter()
            .filter_map(|hidden| hidden.first())
            .map(|&(at, _)| at)
            .min()
    }

    pub(super) fn depth(&self) -> Depth {
        let [visible, in_flight, delayed] =
            [&self.visible, &self.in_flight, &self.delayed].map(|slots| slots.len() as u64);
        Depth::new(visible, in_flight, delayed)
    }
}
