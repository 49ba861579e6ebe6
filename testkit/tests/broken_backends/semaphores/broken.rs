//! A semaphore in memory that does one thing wrong.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use semaphore::{
    FencingToken, Grant, Lessor, Permit, PermitRequest, PermitToken, Semaphore, SemaphoreError, SemaphoreKey,
};
use tokio::task::yield_now;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::fault::Fault;
use super::table::Table;

/// Longer than a clause runs.
const FOR_EVER: Duration = Duration::from_hours(1_000);
const SHORTEST: Duration = Duration::from_millis(100);

/// A semaphore in memory that does one thing wrong. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    pub(super) fault: Fault,
    table: Arc<Mutex<Table>>,
}

impl Broken {
    pub(crate) fn new(fault: Fault) -> Self {
        Self { fault, table: Arc::default() }
    }

    pub(super) fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap()
    }

    fn check(&self, request: &PermitRequest) -> Result<SemaphoreKey, SemaphoreError> {
        let unchecked = SemaphoreKey::new("unchecked");
        match (request.check(SHORTEST), self.fault) {
            (Err(error), Fault::UncheckedKeys) if error.message().starts_with("semaphore key") => unchecked,
            (Err(error), Fault::UncheckedRequests) if !error.message().starts_with("semaphore key") => {
                unchecked
            }
            (Ok(_), Fault::SmallMaximum) if request.max() > 1_000 => {
                Err(SemaphoreError::permanent("too many"))
            }
            (answer, _) => answer,
        }
    }

    /// The key as this semaphore sees it.
    fn seen(&self, key: &SemaphoreKey) -> SemaphoreKey {
        let name = key.as_str();
        let seen = match self.fault {
            Fault::OneKey => "key".to_owned(),
            Fault::FoldedKeys => name.to_lowercase(),
            Fault::CutKeys => name[..name.len().min(254)].trim().to_owned(),
            _ => return key.clone(),
        };
        SemaphoreKey::new(seen).unwrap()
    }

    /// How many may hold a key.
    fn maximum(&self, request: &PermitRequest) -> u16 {
        let asked = u16::try_from(request.max()).unwrap_or(u16::MAX);
        let first = *self.table().first_maximum.get_or_insert(asked);
        match self.fault {
            Fault::OverIssue => asked.saturating_add(1),
            Fault::FirstMaximum => first,
            _ => asked,
        }
    }

    /// A slot that nobody holds.
    fn choose(&self, key: &str, max: u16) -> Option<u16> {
        let mut table = self.table();
        if self.fault == Fault::FalseFull && table.tries > 1 {
            return None;
        }
        if self.fault == Fault::LowerRevokes {
            table.rows.retain(|(name, slot), _| name != key || *slot < max);
        }
        if self.fault == Fault::OneDead && (1..max).any(|slot| Self::is_dead(&table, key, slot)) {
            return (0..1).find(|slot| !table.is_held(key, *slot));
        }
        if self.fault == Fault::HighestOnly {
            let held = (0..max).rev().find(|slot| table.is_held(key, *slot));
            return Some(held.map_or(0, |slot| slot + 1)).filter(|slot| *slot < max);
        }
        (0..max).find(|slot| !table.is_held(key, *slot))
    }

    fn is_dead(table: &Table, key: &str, slot: u16) -> bool {
        let row = table.rows.get(&(key.to_owned(), slot));
        row.is_some_and(|row| row.id.is_some() && !row.is_held())
    }

    fn take(&self, key: &SemaphoreKey, slot: u16, request: &PermitRequest) -> Grant {
        let (mut table, now) = (self.table(), Instant::now());
        let row = table.row(key.as_str(), slot);
        let id = if self.fault == Fault::OldToken { Uuid::from_u128(7) } else { Uuid::new_v4() };
        row.id = Some(id);
        row.since = now;
        row.until = now + self.lease(request.lease());
        row.fence += u64::from(self.fault != Fault::FenceStays);
        if self.fault != Fault::InheritsContext || request.context().is_some() {
            row.context = request.context().cloned();
        }
        let fencing_token = FencingToken::new(row.fence);
        Grant { token: PermitToken::new(key.clone(), slot, id), fencing_token, asked: now }
    }

    pub(super) fn lease(&self, lease: Duration) -> Duration {
        match self.fault {
            Fault::NeverExpires => FOR_EVER,
            Fault::ExpiresEarly => lease / 2,
            _ => lease.min(FOR_EVER),
        }
    }

    /// Takes a slot for ever, until the call that does it is over.
    async fn hold_up(&self, token: &PermitToken) {
        let until = {
            let mut table = self.table();
            let row = table.row(token.key().as_str(), token.slot());
            std::mem::replace(&mut row.until, Instant::now() + FOR_EVER)
        };
        yield_now().await;
        self.table().row(token.key().as_str(), token.slot()).until = until;
    }

    pub(super) async fn hold_up_if(&self, fault: Fault, token: &PermitToken) {
        if self.fault == fault {
            self.hold_up(token).await;
        }
    }

    async fn attempt(&self, key: &SemaphoreKey, request: &PermitRequest) -> Option<Grant> {
        let max = self.maximum(request);
        let Some(slot) = self.choose(key.as_str(), max) else {
            if self.fault == Fault::SlowMiss {
                sleep(Duration::from_millis(70)).await;
            }
            return None;
        };
        if self.fault == Fault::CheckThenAct {
            yield_now().await;
        }
        let grant = self.take(key, slot, request);
        self.hold_up_if(Fault::LeaksTries, &grant.token).await;
        Some(grant)
    }

    pub(crate) fn collect(&self, idle: Duration, limit: usize) -> u64 {
        let mut table = self.table();
        let limit = if self.fault == Fault::NoLimit { usize::MAX } else { limit };
        let idle = if self.fault == Fault::NoIdleTime { Duration::ZERO } else { idle };
        let places = table.rows.iter().filter(|(_, row)| match self.fault {
            Fault::CollectsHeld => true,
            Fault::KeepsDead => row.id.is_none() && row.is_idle(idle),
            _ => row.is_idle(idle),
        });
        let places: Vec<_> = places.map(|(place, _)| place.clone()).take(limit).collect();
        for place in &places {
            let fence = table.rows.remove(place).map_or(0, |row| row.fence);
            let floor = table.floor.max(fence);
            table.floor = if self.fault == Fault::NoFloor { 0 } else { floor };
        }
        places.len() as u64
    }
}

/// A try that is under way.
struct Trying<'a>(&'a Broken);

impl Drop for Trying<'_> {
    fn drop(&mut self) {
        self.0.table().tries -= 1;
    }
}

#[async_trait]
impl Semaphore for Broken {
    async fn try_acquire(&self, mut request: PermitRequest) -> Result<Option<Permit>, SemaphoreError> {
        let key = self.seen(&self.check(&request)?);
        self.table().tries += 1;
        let trying = Trying(self);
        yield_now().await;
        let grant = self.attempt(&key, &request).await;
        drop(trying);
        if self.fault == Fault::EndlessHold {
            request = request.with_max_hold(FOR_EVER);
        }
        let lessor = || Arc::new(self.clone()) as Arc<dyn Lessor>;
        Ok(grant.map(|grant| Permit::new(&request, grant, lessor())))
    }
}
