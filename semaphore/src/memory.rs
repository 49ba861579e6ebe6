//! A semaphore in memory: the executable specification of them all.

mod counts;
mod holders;
mod lessor;
mod shared;
mod slot;
mod table;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::runtime::Handle;
use tokio::task::coop::consume_budget;

use crate::{Lessor, Permit, PermitRequest, RenewalThread, Semaphore, SemaphoreError};
use shared::Shared;

pub use counts::MemoryCounts;

/// The shortest lease, unless it is said.
const SHORTEST_LEASE: Duration = Duration::from_secs(1);

/// A semaphore in memory, on tokio's clock, so that a test can pause it.
///
/// Use it to test what takes permits without a database, or within a program that runs once. It does what the SQL ones do,
/// slot by slot: a key's slots are made when they are first needed, each counts its own fencing tokens, and a
/// try takes the free one with the lowest number. Clones are the same semaphore.
///
/// Keys that were used leave their slots behind until [`collect`](Self::collect) takes them.
///
/// # Guarantees
/// S1 to S13, within one process.
///
/// # Drop
/// The slots go with the last clone; a [`Permit`] counts as one.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use semaphore::{MemorySemaphore, PermitRequest, Semaphore, lease, max};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), semaphore::SemaphoreError> {
/// let semaphore = MemorySemaphore::new();
/// let request = PermitRequest::new("search-index", max(1), lease(Duration::from_secs(60)));
/// let permit = semaphore.try_acquire(request.clone()).await?.expect("nobody has one");
/// assert!(semaphore.try_acquire(request.clone()).await?.is_none());
/// permit.release().await?;
/// assert!(semaphore.try_acquire(request).await?.is_some());
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct MemorySemaphore {
    shared: Arc<Shared>,
    shortest_lease: Duration,
    renewal_thread: Option<RenewalThread>,
}

impl MemorySemaphore {
    /// Makes one where nothing is held. Leases are 1 s or longer.
    pub fn new() -> Self {
        Self { shared: Arc::default(), shortest_lease: SHORTEST_LEASE, renewal_thread: None }
    }

    /// Takes leases as short as this through this handle and its clones: for tests.
    #[must_use]
    pub fn with_shortest_lease(mut self, lease: Duration) -> Self {
        self.shortest_lease = lease;
        self
    }

    /// Renews what is acquired through this handle and its clones on `thread`, which does not know a paused clock.
    #[must_use]
    pub fn with_renewal_thread(mut self, thread: RenewalThread) -> Self {
        self.renewal_thread = Some(thread);
        self
    }

    /// Forgets up to `limit` slots that nobody has held for `idle` or longer, and says how many it forgot (S13).
    ///
    /// Call it now and then, again at once while it answers `limit`. A slot that is made again starts above the
    /// highest fencing token that was ever forgotten.
    ///
    /// # Guarantees
    /// S3, S13.
    ///
    /// # Cancel safety
    /// Safe: all is forgotten that it would have answered for or, dropped before, nothing.
    ///
    /// # Errors
    /// None here; on a database *transient* and *indeterminate*.
    pub async fn collect(&self, idle: Duration, limit: usize) -> Result<u64, SemaphoreError> {
        consume_budget().await;
        Ok(self.shared.act(|table, now| table.collect(idle, limit, now)))
    }

    /// How many slots it remembers, held or not.
    pub fn slots(&self) -> usize {
        self.shared.act(|table, _now| table.len())
    }

    /// What happened so far.
    pub fn counts(&self) -> MemoryCounts {
        self.shared.counts()
    }

    fn shared(&self) -> &Shared {
        &self.shared
    }

    /// What stands behind a permit; it keeps the thread alive that renews it.
    fn lessor(&self) -> Arc<dyn Lessor> {
        Arc::new(lessor::MemoryLessor::new(Arc::clone(&self.shared), self.renewal_thread.clone()))
    }

    fn runtime(&self) -> Handle {
        let thread = self.renewal_thread.as_ref().map(RenewalThread::handle);
        thread.cloned().unwrap_or_else(Handle::current)
    }
}

impl Default for MemorySemaphore {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemorySemaphore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shared.fmt(f)
    }
}

#[async_trait]
impl Semaphore for MemorySemaphore {
    /// Takes a permit if one is free: see [`Semaphore::try_acquire`].
    ///
    /// # Cancel safety
    /// Safe: a slot is taken after the last await, so that a dropped call has taken none.
    async fn try_acquire(&self, request: PermitRequest) -> Result<Option<Permit>, SemaphoreError> {
        let key = request.check(self.shortest_lease)?;
        consume_budget().await;
        let grant = self.shared.grant(&key, &request);
        Ok(grant.map(|grant| Permit::new_on(&self.runtime(), &request, grant, self.lessor())))
    }
}

#[cfg(test)]
mod tests;
