//! What waits and what is on its way, and the decision when the next call goes out.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Duration;

use tokio::time::Instant;

use super::entry::Entry;
use super::{Bounds, Kind};

/// What the driver does next.
#[derive(Debug)]
pub(super) enum Next<K: Kind> {
    /// Sends these, numbered.
    Call(BTreeMap<u64, Entry<K>>),
    /// Waits for a change, at most until then.
    Wait(Option<Instant>),
    /// Ends: nothing waits.
    End,
}

/// The entries by number; they are numbered as they come.
#[derive(Debug)]
pub(super) struct Gathering<K: Kind> {
    bounds: Bounds,
    next: u64,
    waiting: BTreeMap<u64, Entry<K>>,
    in_flight: BTreeSet<u64>,
    calls: usize,
    /// Entries below this number don't wait for company.
    hurried: u64,
    has_driver: bool,
}

impl<K: Kind> Gathering<K> {
    pub(super) fn new() -> Self {
        Self {
            bounds: Bounds::default(),
            next: 0,
            waiting: BTreeMap::new(),
            in_flight: BTreeSet::new(),
            calls: 0,
            hurried: 0,
            has_driver: false,
        }
    }

    /// Takes entries in, and answers their numbers.
    pub(super) fn push(&mut self, bounds: Bounds, entries: Vec<Entry<K>>) -> Range<u64> {
        let first = self.next;
        self.next += entries.len() as u64;
        self.waiting.extend((first..).zip(entries));
        self.bounds = bounds;
        if bounds.at_once {
            self.hurry();
        }
        first..self.next
    }

    /// Notes that there is a driver from now on; `false` if there was one, or nothing waits.
    pub(super) fn needs_driver(&mut self) -> bool {
        let needs = !self.has_driver && !self.waiting.is_empty();
        self.has_driver |= needs;
        needs
    }

    /// Lets all that waits go at once. Answers the number below which everything is hurried.
    pub(super) fn hurry(&mut self) -> u64 {
        self.hurried = self.next;
        self.hurried
    }

    /// Decides what the driver does next.
    pub(super) fn next(&mut self, now: Instant, linger: Duration, alone: impl Fn(usize) -> bool) -> Next<K> {
        let Some((&number, oldest)) = self.waiting.first_key_value() else {
            self.has_driver = false;
            return Next::End;
        };
        if self.calls >= self.bounds.calls {
            return Next::Wait(None);
        }
        let due = oldest.since + linger;
        let (entries, full) = self.load();
        if full || number < self.hurried || due <= now || alone(self.calls) {
            return Next::Call(self.launch(entries));
        }
        Next::Wait(Some(due))
    }

    /// How many of the oldest entries fit into a call, and whether no other would.
    fn load(&self) -> (usize, bool) {
        let (mut entries, mut bytes) = (0, 0);
        for entry in self.waiting.values().take(self.bounds.entries) {
            bytes += entry.bytes;
            if entries > 0 && bytes > self.bounds.bytes {
                return (entries, true);
            }
            entries += 1;
        }
        (entries, entries == self.bounds.entries)
    }

    fn launch(&mut self, entries: usize) -> BTreeMap<u64, Entry<K>> {
        let batch: BTreeMap<_, _> = (0..entries).filter_map(|_| self.waiting.pop_first()).collect();
        self.in_flight.extend(batch.keys());
        self.calls += 1;
        batch
    }

    /// Notes that a call has ended.
    pub(super) fn land(&mut self, numbers: &[u64]) {
        self.calls -= 1;
        for number in numbers {
            self.in_flight.remove(number);
        }
    }

    /// Takes back those of `numbers` that were not sent yet.
    pub(super) fn withdraw(&mut self, numbers: Range<u64>) -> Vec<Entry<K>> {
        numbers.filter_map(|number| self.waiting.remove(&number)).collect()
    }

    /// Takes back everything that was not sent yet: the driver is gone.
    pub(super) fn lose_driver(&mut self) -> BTreeMap<u64, Entry<K>> {
        self.has_driver = false;
        std::mem::take(&mut self.waiting)
    }

    /// Nothing below `number` waits or is in flight.
    pub(super) fn is_done_below(&self, number: u64) -> bool {
        let waiting = self.waiting.first_key_value().is_none_or(|(&first, _)| first >= number);
        waiting && self.in_flight.first().is_none_or(|&first| first >= number)
    }
}
