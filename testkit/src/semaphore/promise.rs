//! What a semaphore may promise beyond granting permits.

use crate::promises::Promises;

/// What a semaphore may promise, or not.
///
/// What is not here every semaphore promises: never more than the maximum, no false "full", leases that end, fencing tokens
/// that rise, tokens that go stale, keys that are checked and compared byte for byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SemaphorePromise {
    /// The fixture has [`Holders`](semaphore::Holders): it lists who holds a key, and takes slots by force.
    Watched,
    /// S13: the fixture has a collector, which forgets slots that nobody used for a while.
    Collects,
}

impl Promises<SemaphorePromise> {
    /// What a semaphore of the family promises: everything, in real time.
    pub fn leased() -> Self {
        Self::of([SemaphorePromise::Watched, SemaphorePromise::Collects])
    }
}
