//! One group of an ordered queue.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::super::key::Key;

/// A message's place in the order in which the queue stored its messages.
pub(in crate::memory::engine) type Place = u64;

/// A ready group's place among the others: the lower, the longer it has been ready.
pub(super) type Turn = u64;

/// What a message is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory::engine) enum State {
    Delayed,
    Visible,
    InFlight,
}

/// The messages of one group.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) name: Arc<str>,
    pub(super) turn: Option<Turn>,
    messages: BTreeMap<Place, (Key, State)>,
    in_flight: usize,
}

impl Group {
    pub(super) fn new(name: Arc<str>) -> Self {
        Self { name, turn: None, messages: BTreeMap::new(), in_flight: 0 }
    }

    pub(super) fn store(&mut self, place: Place, key: Key, state: State) {
        self.messages.insert(place, (key, state));
        self.in_flight += usize::from(state == State::InFlight);
    }

    pub(super) fn set(&mut self, place: Place, state: State) {
        if let Some((_, known)) = self.messages.get_mut(&place) {
            self.in_flight -= usize::from(*known == State::InFlight);
            self.in_flight += usize::from(state == State::InFlight);
            *known = state;
        }
    }

    pub(super) fn remove(&mut self, place: Place) {
        if let Some((_, state)) = self.messages.remove(&place) {
            self.in_flight -= usize::from(state == State::InFlight);
        }
    }

    /// Whether its head may be received now: it is visible, and no message of the group is in flight.
    pub(super) fn is_ready(&self) -> bool {
        let head = self.messages.first_key_value();
        self.in_flight == 0 && head.is_some_and(|(_, &(_, state))| state == State::Visible)
    }

    /// The first message at `from` or behind, if it is visible.
    pub(super) fn visible_from(&self, from: Place) -> Option<(Place, Key)> {
        let (&place, &(key, state)) = self.messages.range(from..).next()?;
        (state == State::Visible).then_some((place, key))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }
}
