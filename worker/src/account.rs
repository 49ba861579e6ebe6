//! What a receiver has done with its messages.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::metrics::{Instruments, Tally};

/// What became of the messages that a receiver received, counted from its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Account {
    /// Deliveries received.
    pub received: u64,
    /// Handled and deleted.
    pub handled: u64,
    /// Failed and kept, to come back after a back-off; those that panicked or ran past their deadline included. On an
    /// ordered queue each try in place counts, so that this can be more than what was received.
    pub retried: u64,
    /// Failed and moved to the retry queue.
    pub moved: u64,
    /// Given up and deleted, after a copy was put in the dead-letter queue if one is set.
    pub discarded: u64,
    /// Handled too late: another consumer had them, or their time had run out. They were not deleted (W5).
    pub lost: u64,
    /// Given back unhandled at stop; they are visible again at once.
    pub released: u64,
    /// Not settled, because the queue did not answer: they come back when their visibility timeout ends.
    pub orphaned: u64,
    /// Handlers that panicked.
    pub panicked: u64,
    /// Handlers that ran past their deadline.
    pub overran: u64,
    /// Renewal calls made.
    pub renewals: u64,
    /// Messages whose renewal came too late, or found that they were lost already (W5).
    pub renewals_lost: u64,
    /// Receives that failed.
    pub failed_receives: u64,
    /// Messages in a handler or waiting for one, right now.
    pub in_flight: u64,
    /// Messages waiting for a free slot, right now; a part of `in_flight`.
    pub buffered: u64,
}

/// The counters behind an [`Account`].
#[derive(Debug)]
pub(crate) struct Ledger {
    pub(crate) received: Counter,
    pub(crate) handled: Counter,
    pub(crate) retried: Counter,
    pub(crate) moved: Counter,
    pub(crate) discarded: Counter,
    pub(crate) lost: Counter,
    pub(crate) released: Counter,
    pub(crate) orphaned: Counter,
    pub(crate) panicked: Counter,
    pub(crate) overran: Counter,
    pub(crate) failed_receives: Counter,
}

impl Ledger {
    pub(crate) fn new(instruments: &Instruments) -> Self {
        let settled = |outcome| Counter::mirrored(instruments.settled(outcome));
        Self {
            received: Counter::mirrored(instruments.received()),
            handled: settled("handled"),
            retried: settled("retried"),
            moved: settled("moved"),
            discarded: settled("discarded"),
            lost: settled("lost"),
            released: settled("released"),
            orphaned: settled("orphaned"),
            panicked: Counter::mirrored(instruments.panicked()),
            overran: Counter::mirrored(instruments.overran()),
            failed_receives: Counter::default(), // the pollers tell of it
        }
    }

    /// Reads every counter; the renewals', and what is there right now, are told elsewhere and stay zero.
    pub(crate) fn account(&self) -> Account {
        Account {
            received: self.received.read(),
            handled: self.handled.read(),
            retried: self.retried.read(),
            moved: self.moved.read(),
            discarded: self.discarded.read(),
            lost: self.lost.read(),
            released: self.released.read(),
            orphaned: self.orphaned.read(),
            panicked: self.panicked.read(),
            overran: self.overran.read(),
            failed_receives: self.failed_receives.read(),
            ..Account::default()
        }
    }
}

/// A number that only grows, here and at the metrics' recorder.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    count: AtomicU64,
    mirror: Tally,
}

impl Counter {
    pub(crate) fn mirrored(mirror: Tally) -> Self {
        Self { count: AtomicU64::new(0), mirror }
    }

    pub(crate) fn add(&self, n: usize) {
        self.count.fetch_add(n as u64, Ordering::Relaxed);
        self.mirror.add(n);
    }

    pub(crate) fn read(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}
