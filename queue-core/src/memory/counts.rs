//! What a memory queue counts.

/// What became of messages other than being deleted, counted since the queue was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryCounts {
    /// Messages that were older than the retention and are gone (Q10).
    pub expired: u64,
    /// Messages that were delivered too often and were moved to the dead-letter queue (Q7).
    pub dead_lettered: u64,
    /// Deliveries that were dropped without being settled (Q12).
    pub unsettled_drops: u64,
}
