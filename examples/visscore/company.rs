//! The company: the processes that handle visits from the same queues.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use semaphore::{Holders, Permit, PermitRequest, Semaphore, SemaphoreKey, lease, max};

/// The key under which each process that handles visits shows itself. Its maximum is no limit, only a number of places.
const KEY: &str = "visscore:handlers";
const PLACES: u32 = 1_000;
/// How long a process that was killed is still seen.
const LEASE: Duration = Duration::from_secs(10);

/// A semaphore that also lists its holders.
pub(crate) trait Registry: Semaphore + Holders {}

impl<R: Semaphore + Holders + ?Sized> Registry for R {}

/// This process among those that handle visits from the same queues. It looks for others when it comes, while it waits, and
/// when it goes.
///
/// Who sends and handles may call a visit lost only if nobody else can have handled it.
#[derive(Debug)]
pub(crate) struct Company {
    registry: Arc<dyn Registry>,
    place: Option<Permit>,
    seen: AtomicBool,
}

impl Company {
    /// Shows this process to the others.
    pub(crate) async fn join(registry: Arc<dyn Registry>) -> anyhow::Result<Self> {
        let place = registry.try_acquire(PermitRequest::new(KEY, max(PLACES), lease(LEASE))).await?;
        let company = Self { registry, place, seen: AtomicBool::new(false) };
        company.look().await?;
        Ok(company)
    }

    /// Looks for others.
    pub(crate) async fn look(&self) -> anyhow::Result<()> {
        let holders = self.registry.holders(SemaphoreKey::new(KEY)?).await?;
        if holders.len() > 1 || self.place.is_none() {
            self.seen.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Leaves, and says whether others were there.
    pub(crate) async fn leave(mut self) -> bool {
        // A database that is gone by now has said before what there is to say.
        drop(self.look().await);
        if let Some(place) = self.place.take() {
            drop(place.release().await);
        }
        self.seen.load(Ordering::Relaxed)
    }
}
