//! The groups of an ordered queue: which of them may be received from, and in which order.

mod group;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::super::key::Key;
use group::{Group, Turn};

pub(super) use group::{Place, State};

/// A message's place: in which group, and where in its order.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    group: Arc<str>,
    place: Place,
    pub(super) key: Key,
}

/// The messages by group, each group in order of publishing (Q8).
///
/// A group is ready when none of its messages is in flight and its head is visible. Ready groups take turns in the
/// order in which they became ready, so that a long one does not starve the others. Every operation costs a logarithm, and groups
/// without messages leave nothing behind.
#[derive(Debug, Default)]
pub(super) struct Groups {
    by_name: HashMap<Arc<str>, Group>,
    ready: BTreeMap<Turn, Arc<str>>,
    turns: Turn,
}

impl Groups {
    /// Enters a message behind all others of its group.
    pub(super) fn store(&mut self, (group, place): (&str, Place), (key, state): (Key, State)) {
        if !self.by_name.contains_key(group) {
            let name: Arc<str> = Arc::from(group);
            self.by_name.insert(Arc::clone(&name), Group::new(name));
        }
        self.change(group, |group| group.store(place, key, state));
    }

    /// Notes what became of a message.
    pub(super) fn set(&mut self, (group, place): (&str, Place), state: State) {
        self.change(group, |group| group.set(place, state));
    }

    /// Takes a message out, whatever its state.
    pub(super) fn remove(&mut self, (group, place): (&str, Place)) {
        self.change(group, |group| group.remove(place));
    }

    /// Whether there is something to be received.
    pub(super) fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// What one receive takes after `last`: the next of the same group, as long as they are visible one after the
    /// other, then the head of the group whose turn it is.
    pub(super) fn next(&self, last: Option<&Spot>) -> Option<Spot> {
        let same = last.and_then(|last| self.spot(&last.group, last.place + 1));
        same.or_else(|| self.ready.first_key_value().and_then(|(_, group)| self.spot(group, 0)))
    }

    fn spot(&self, group: &Arc<str>, from: Place) -> Option<Spot> {
        let (place, key) = self.by_name.get(group)?.visible_from(from)?;
        Some(Spot { group: Arc::clone(group), place, key })
    }

    /// Changes a group, then finds out whether it is ready.
    fn change(&mut self, name: &str, change: impl FnOnce(&mut Group)) {
        let Some(group) = self.by_name.get_mut(name) else { return };
        change(group);
        match (group.turn, group.is_ready()) {
            (None, true) => {
                self.turns += 1;
                group.turn = Some(self.turns);
                self.ready.insert(self.turns, Arc::clone(&group.name));
            }
            (Some(turn), false) => {
                group.turn = None;
                self.ready.remove(&turn);
            }
            (None, false) | (Some(_), true) => {}
        }
        if group.is_empty() {
            self.by_name.remove(name);
        }
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty() && self.ready.is_empty()
    }
}
