//! What the model of an ordered queue knows of each message.

use proptest::sample::Index;

use crate::{Depth, MessageId, Receipt};

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Stored,
    Deleted,
    Expired,
    DeadLettered,
    Purged,
}

/// A message, and all receipts that it ever had, the good one last.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) id: MessageId,
    pub(super) group: usize,
    pub(super) sent: u64,
    pub(super) visible_at: u64,
    pub(super) receipts: Vec<Receipt>,
    pub(super) fate: Fate,
}

impl Known {
    pub(super) fn new(id: MessageId, group: usize, now: u64) -> Self {
        Self { id, group, sent: now, visible_at: now, receipts: Vec::new(), fate: Fate::Stored }
    }

    pub(super) fn is_in_flight(&self, now: u64) -> bool {
        self.fate == Fate::Stored && self.visible_at > now
    }
}

/// All messages in order of publishing.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) now: u64,
    pub(super) known: Vec<Known>,
    /// The messages that became visible or went since the last [`settle`](Self::settle), in order.
    pub(super) events: Vec<usize>,
    /// The groups that can be received from, by since when.
    free: Vec<usize>,
}

impl Model {
    pub(super) fn end(&mut self, which: impl Fn(&Known) -> bool, fate: Fate) {
        let stored = self.known.iter_mut().filter(|known| known.fate == Fate::Stored);
        stored.filter(|known| which(known)).for_each(|known| known.fate = fate);
    }

    /// The messages of a group that are here.
    fn group(&self, group: usize) -> Vec<usize> {
        let here = |&n: &usize| self.known[n].group == group && self.known[n].fate == Fate::Stored;
        (0..self.known.len()).filter(here).collect()
    }

    /// Lets a second pass: ends retention, then visibility timeouts.
    pub(super) fn tick(&mut self, retention: u64) {
        self.now += 1;
        let now = self.now;
        let was_in_flight = |known: &Known| known.is_in_flight(now - 1);
        let before: Vec<bool> = self.known.iter().map(was_in_flight).collect();
        self.end(|known| known.sent + retention <= now, Fate::Expired);
        let gone = |&n: &usize| before[n] && self.known[n].fate == Fate::Expired;
        let shown =
            |&n: &usize| before[n] && self.known[n].fate == Fate::Stored && !self.known[n].is_in_flight(now);
        let numbers = || 0..self.known.len();
        self.events.extend(numbers().filter(gone).chain(numbers().filter(shown)).collect::<Vec<_>>());
    }

    /// Finds out which groups are free now. One that was stays in its turn; the others come behind, in the order of
    /// what freed them.
    pub(super) fn settle(&mut self) {
        let events = std::mem::take(&mut self.events);
        let last_event = |group: &usize| events.iter().rposition(|&n| self.known[n].group == *group);
        let mut free: Vec<usize> = (0..3).filter(|&group| self.is_free(group)).collect();
        free.sort_by_key(|group| {
            let before = self.free.iter().position(|known| known == group);
            (before.is_none(), before, last_event(group))
        });
        self.free = free;
    }

    fn is_free(&self, group: usize) -> bool {
        let here = self.group(group);
        !here.is_empty() && here.iter().all(|&n| !self.known[n].is_in_flight(self.now))
    }

    /// What a receive brings; dead letters on the way are noted.
    pub(super) fn receive(&mut self, max: usize, cap: usize, most_receives: usize) -> Vec<usize> {
        let in_flight = self.known.iter().filter(|known| known.is_in_flight(self.now)).count();
        let room = max.min(cap - in_flight);
        let (mut taken, mut blocked) = (Vec::new(), Vec::new());
        for &group in &self.free.clone() {
            for n in self.group(group) {
                if taken.len() == room {
                    break;
                }
                if self.known[n].receipts.len() == most_receives {
                    self.known[n].fate = Fate::DeadLettered;
                } else {
                    taken.push(n);
                    blocked.push(group);
                }
            }
        }
        self.free.retain(|group| !blocked.contains(group));
        taken
    }

    pub(super) fn is_deliverable(&self, cap: usize) -> bool {
        let in_flight = self.known.iter().filter(|known| known.is_in_flight(self.now)).count();
        in_flight < cap && !self.free.is_empty()
    }

    pub(super) fn depth(&self) -> Depth {
        let stored = self.known.iter().filter(|known| known.fate == Fate::Stored).count() as u64;
        let in_flight = self.known.iter().filter(|known| known.is_in_flight(self.now)).count() as u64;
        Depth::new(stored - in_flight, in_flight, 0)
    }

    /// Some receipt that was ever given, and its message.
    pub(super) fn pick(&self, index: Index) -> Option<(usize, Receipt)> {
        let numbered = self.known.iter().enumerate();
        let all: Vec<_> =
            numbered.flat_map(|(n, known)| known.receipts.iter().map(move |r| (n, r))).collect();
        if all.is_empty() { None } else { Some(*index.get(&all)) }.map(|(n, receipt)| (n, receipt.clone()))
    }
}
