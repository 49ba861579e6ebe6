//! Sabotage: a semaphore that breaks one rule, as a plant says.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use semaphore::{
    FencingToken, Grant, Lessor, Permit, PermitRequest, PermitToken, Renewal, Semaphore, SemaphoreError,
    SemaphoreKey, async_trait, lease, max,
};
use tokio::time::Instant;
use uuid::Uuid;

use crate::backend::Watched;
use crate::holder::KEY;
use crate::plant::Plant;

/// A semaphore that breaks one rule.
#[derive(Debug)]
pub(crate) struct Planted {
    inner: Arc<dyn Watched>,
    plant: Plant,
    struck: AtomicBool,
}

impl Planted {
    pub(crate) fn new(inner: Arc<dyn Watched>, plant: Plant) -> Self {
        Self { inner, plant, struck: AtomicBool::new(false) }
    }

    /// Whether to do it now: at the first try of each process, then once in so many. Left to chance alone, a plant
    /// is not seen in a short soak on a slow machine.
    fn strikes(&self, once_in: u8) -> bool {
        !self.struck.swap(true, Ordering::Relaxed) || fastrand::u8(..once_in) == 0
    }

    /// A permit that nobody has granted.
    fn invent(request: &PermitRequest) -> Result<Permit, SemaphoreError> {
        let token = PermitToken::new(SemaphoreKey::new(KEY)?, 0, Uuid::new_v4());
        Ok(believed(request, token, FencingToken::new(u64::MAX >> 1)))
    }

    /// Releases a slot that another holds, sometimes.
    async fn rob(&self) -> Result<(), SemaphoreError> {
        if self.strikes(4)
            && let Some(victim) = self.inner.holders(SemaphoreKey::new(KEY)?).await?.pop()
        {
            self.inner.force_release(victim.token).await?;
        }
        Ok(())
    }

    /// Takes a slot for an hour and forgets it.
    async fn forget(&self, request: &PermitRequest) -> Result<(), SemaphoreError> {
        let hour = lease(Duration::from_hours(1));
        drop(self.inner.try_acquire(PermitRequest::new(KEY, max(request.max()), hour)).await?);
        Ok(())
    }

    /// What becomes of a permit that was granted.
    async fn spoil(&self, request: &PermitRequest, permit: Permit) -> Result<Permit, SemaphoreError> {
        let (token, fence) = (permit.token().clone(), permit.fencing_token());
        Ok(match self.plant {
            Plant::FenceReuse => {
                let fencing_token = FencingToken::new(1);
                let grant = Grant { token, fencing_token, asked: Instant::now() };
                Permit::new(request, grant, Arc::clone(permit.lessor()))
            }
            Plant::RenewExpired => {
                let grant = Grant { token, fencing_token: fence, asked: Instant::now() };
                Permit::new(request, grant, Arc::new(Yes(Some(Arc::clone(permit.lessor())))))
            }
            Plant::ClientClock => {
                self.inner.force_release(token.clone()).await?;
                believed(request, token, fence)
            }
            _ => permit,
        })
    }
}

/// A permit that is renewed nowhere and never lost.
fn believed(request: &PermitRequest, token: PermitToken, fencing_token: FencingToken) -> Permit {
    let grant = Grant { token, fencing_token, asked: Instant::now() };
    Permit::new(request, grant, Arc::new(Yes(None)))
}

#[async_trait]
impl Semaphore for Planted {
    async fn try_acquire(&self, request: PermitRequest) -> Result<Option<Permit>, SemaphoreError> {
        match self.plant {
            Plant::StaleRelease => self.rob().await?,
            Plant::LostSlot if self.strikes(20) => self.forget(&request).await?,
            Plant::FalseFull if self.strikes(3) => return Ok(None),
            Plant::Deadlock if self.strikes(20) => {
                return Err(SemaphoreError::transient("acquire").with_source("deadlock detected (40P01)"));
            }
            _ => {}
        }
        match self.inner.try_acquire(request.clone()).await? {
            Some(permit) => Ok(Some(self.spoil(&request, permit).await?)),
            None if self.plant == Plant::OverIssue => Ok(Some(Self::invent(&request)?)),
            None => Ok(None),
        }
    }
}

/// A lessor that agrees with everything, and releases at another one if there is one.
#[derive(Debug)]
struct Yes(Option<Arc<dyn Lessor>>);

#[async_trait]
impl Lessor for Yes {
    async fn renew(&self, _token: PermitToken, _renewal: Renewal) -> Result<(), SemaphoreError> {
        Ok(())
    }

    async fn release(&self, token: PermitToken) -> Result<(), SemaphoreError> {
        match &self.0 {
            Some(lessor) => lessor.release(token).await,
            None => Ok(()),
        }
    }

    fn abandon(&self, _token: PermitToken) {}
}
