//! The messages that wait for a slot, in the order in which they may be handled.

use std::collections::{HashMap, VecDeque};

use crate::receiver::held::Held;

/// What waits.
///
/// Of an ordered group one message at a time is out: the head, which is ready, in a slot, or at rest after a failure.
/// Those behind it wait in its lane until the head is settled (W11).
#[derive(Debug, Default)]
pub(super) struct Buffer {
    ordered: bool,
    ready: VecDeque<Held>,
    /// For each group with a head that is out, those behind it.
    lanes: HashMap<String, VecDeque<Held>>,
    /// Heads that failed and wait for their next try.
    resting: HashMap<String, Held>,
    behind: usize,
}

impl Buffer {
    pub(super) fn new(ordered: bool) -> Self {
        Self { ordered, ..Self::default() }
    }

    /// How many wait, whether they are ready or not.
    pub(super) fn len(&self) -> usize {
        self.ready.len() + self.behind + self.resting.len()
    }

    /// How many take room: those that are ready and, of those that wait for their heads or for their back-off, what is
    /// beyond `spare`. So a group that fails does not keep the others from being received (W11).
    pub(super) fn crowd(&self, spare: usize) -> usize {
        self.ready.len() + (self.behind + self.resting.len()).saturating_sub(spare)
    }

    /// Takes one in, and says whether it is ready.
    pub(super) fn push(&mut self, held: Held) -> bool {
        if let Some(group) = held.group().filter(|_| self.ordered) {
            if let Some(lane) = self.lanes.get_mut(group) {
                lane.push_back(held);
                self.behind += 1;
                return false;
            }
            self.lanes.insert(group.to_owned(), VecDeque::new());
        }
        self.ready.push_back(held);
        true
    }

    /// Hands out up to `count` that are ready: of each ordered group one at most.
    pub(super) fn take(&mut self, count: usize) -> Vec<Held> {
        let count = count.min(self.ready.len());
        self.ready.drain(..count).collect()
    }

    /// Whether others of the group wait behind its head.
    pub(super) fn has_behind(&self, group: &str) -> bool {
        self.lanes.get(group).is_some_and(|lane| !lane.is_empty())
    }

    /// Keeps a head that failed until [`wake`](Self::wake).
    pub(super) fn rest(&mut self, group: String, head: Held) {
        self.resting.insert(group, head);
    }

    /// Makes a head that rested ready; `false` if it is gone.
    pub(super) fn wake(&mut self, group: &str) -> bool {
        let head = self.resting.remove(group);
        let woken = head.is_some();
        self.ready.extend(head);
        woken
    }

    /// Notes that a group's head is settled, and says whether another is ready now.
    pub(super) fn advance(&mut self, group: &str) -> bool {
        let next = self.lanes.get_mut(group).and_then(VecDeque::pop_front);
        let Some(next) = next else {
            self.lanes.remove(group);
            return false;
        };
        self.behind -= 1;
        self.ready.push_back(next);
        true
    }

    /// Hands out a whole lane whose head was lost.
    pub(super) fn break_off(&mut self, group: &str) -> Vec<Held> {
        let lane = self.lanes.remove(group).unwrap_or_default();
        self.behind -= lane.len();
        lane.into()
    }

    /// Hands out everything, each group in its order.
    pub(super) fn drain(&mut self) -> Vec<Held> {
        let heads: Vec<_> = self.ready.drain(..).chain(self.resting.drain().map(|(_, head)| head)).collect();
        let mut all = Vec::with_capacity(heads.len() + self.behind);
        for head in heads {
            let lane = head.group().and_then(|group| self.lanes.remove(group)).unwrap_or_default();
            all.push(head);
            all.extend(lane);
        }
        all.extend(self.lanes.drain().flat_map(|(_, lane)| lane)); // their heads are in slots
        self.behind = 0;
        all
    }
}
