//! The counts of a memory semaphore.

/// What happened at a memory semaphore so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryCounts {
    /// Permits that were granted.
    pub granted: u64,
    /// Tries that found nothing free.
    pub missed: u64,
    /// Renewals that extended a lease, changes of context included.
    pub renewed: u64,
    /// Slots that were freed by their holders in time.
    pub released: u64,
    /// Renewals and releases that came too late, or by a token that was not the holder's.
    pub lost: u64,
    /// Slots that were taken from their holders by force.
    pub forced: u64,
    /// Permits that were dropped without being released.
    pub abandoned: u64,
}
