//! What a queue counts in this process.

use std::sync::atomic::{AtomicU64, Ordering};

/// What became of messages other than being deleted, as this process saw it since it started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SqlQueueCounts {
    /// Messages that were past their retention and were removed (Q10).
    pub expired: u64,
    /// Messages that were received too often and were moved to the dead-letter queue (Q7).
    pub dead_lettered: u64,
    /// Deliveries that were dropped without being settled (Q12).
    pub unsettled_drops: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Tally {
    expired: AtomicU64,
    dead_lettered: AtomicU64,
    unsettled_drops: AtomicU64,
}

impl Tally {
    pub(crate) fn add_expired(&self, count: u64) {
        self.expired.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn add_dead_lettered(&self, count: u64) {
        self.dead_lettered.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn add_unsettled_drop(&self) {
        self.unsettled_drops.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> SqlQueueCounts {
        SqlQueueCounts {
            expired: self.expired.load(Ordering::Relaxed),
            dead_lettered: self.dead_lettered.load(Ordering::Relaxed),
            unsettled_drops: self.unsettled_drops.load(Ordering::Relaxed),
        }
    }
}
