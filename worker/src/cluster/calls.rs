//! The calls that a cluster gate makes to its semaphore, counted by operation.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};

use futures::FutureExt;
use semaphore::SemaphoreError;
use tokio::time::{Instant, timeout_at};

/// How often a process has called its semaphore, for all gates of one [`Cluster`](crate::Cluster) together (G10).
///
/// Not in it is the renewal of permits, which they do themselves: one call in a third of the lease for each that this
/// process holds, and fewer while there is something to publish, as that renews too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClusterCalls {
    /// Looks at who holds the permits of all its classes, one call for each tick of the timer. A semaphore that can't
    /// answer for several keys at once makes as many statements of it.
    pub looks: u64,
    /// Tries for a permit that nobody held.
    pub tries: u64,
    /// Publications of open or closed.
    pub publications: u64,
    /// Releases of permits.
    pub releases: u64,
    /// Those of all these that failed.
    pub failures: u64,
    /// How often a class began to poll by itself because the semaphore did not answer. No call.
    pub fallbacks: u64,
}

/// A count of one operation.
pub(super) type Count = AtomicU64;

/// The counts behind [`ClusterCalls`].
#[derive(Debug, Default)]
pub(super) struct Ledger {
    pub(super) looks: Count,
    pub(super) tries: Count,
    pub(super) publications: Count,
    pub(super) releases: Count,
    pub(super) failures: Count,
    pub(super) fallbacks: Count,
}

impl Ledger {
    pub(super) fn read(&self) -> ClusterCalls {
        let read = |count: &Count| count.load(Ordering::Relaxed);
        ClusterCalls {
            looks: read(&self.looks),
            tries: read(&self.tries),
            publications: read(&self.publications),
            releases: read(&self.releases),
            failures: read(&self.failures),
            fallbacks: read(&self.fallbacks),
        }
    }

    pub(super) fn fell_back(&self) {
        self.fallbacks.fetch_add(1, Ordering::Relaxed);
    }

    /// Makes a call that ends at `until` at the latest and is counted. A panic in the backend is an error like others.
    pub(super) async fn call<T>(
        &self,
        count: &Count,
        until: Instant,
        call: impl Future<Output = Result<T, SemaphoreError>> + Send,
    ) -> Result<T, SemaphoreError> {
        count.fetch_add(1, Ordering::Relaxed);
        let answer = match timeout_at(until, AssertUnwindSafe(call).catch_unwind()).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_panic)) => Err(SemaphoreError::indeterminate("the semaphore's client panicked")),
            Err(_) => Err(SemaphoreError::indeterminate("the semaphore did not answer in time")),
        };
        if answer.is_err() {
            self.failures.fetch_add(1, Ordering::Relaxed);
        }
        answer
    }
}
