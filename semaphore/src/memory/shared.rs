//! What the clones of a memory semaphore share.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::time::Instant;
use uuid::Uuid;

use super::MemoryCounts;
use super::slot::Held;
use super::table::Table;
use crate::clock::WallClock;
use crate::{FencingToken, Grant, PermitRequest, PermitToken, SemaphoreKey};

/// The table behind its lock, which is never held across an await.
pub(super) struct Shared {
    pub(super) clock: WallClock,
    table: Mutex<Table>,
    pub(super) granted: AtomicU64,
    pub(super) missed: AtomicU64,
    pub(super) renewed: AtomicU64,
    pub(super) released: AtomicU64,
    pub(super) lost: AtomicU64,
    pub(super) forced: AtomicU64,
    pub(super) abandoned: AtomicU64,
}

impl Shared {
    /// Acts on the table at one moment. The clock is read under the lock, so that the table never sees it go back.
    pub(super) fn act<T>(&self, act: impl FnOnce(&mut Table, Instant) -> T) -> T {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        act(&mut table, Instant::now())
    }

    /// Gives a slot, if one is free.
    pub(super) fn grant(&self, key: &SemaphoreKey, request: &PermitRequest) -> Option<Grant> {
        let (id, asked) = (Uuid::new_v4(), Instant::now());
        let max = u16::try_from(request.max()).unwrap_or(u16::MAX);
        let given = self.act(|table, since| {
            let until = since + request.lease();
            let held = Held { id, context: request.context().map(Arc::clone), since, until };
            table.give((key, max), held)
        });
        count(if given.is_some() { &self.granted } else { &self.missed }, 1);
        let (slot, fence) = given?;
        let token = PermitToken::new(key.clone(), slot, id);
        Some(Grant { token, fencing_token: FencingToken::new(fence), asked })
    }

    pub(super) fn counts(&self) -> MemoryCounts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        MemoryCounts {
            granted: read(&self.granted),
            missed: read(&self.missed),
            renewed: read(&self.renewed),
            released: read(&self.released),
            lost: read(&self.lost),
            forced: read(&self.forced),
            abandoned: read(&self.abandoned),
        }
    }
}

/// Adds to a counter.
pub(super) fn count(counter: &AtomicU64, more: u64) {
    counter.fetch_add(more, Ordering::Relaxed);
}

impl Default for Shared {
    fn default() -> Self {
        Self {
            clock: WallClock::start(),
            table: Mutex::default(),
            granted: AtomicU64::new(0),
            missed: AtomicU64::new(0),
            renewed: AtomicU64::new(0),
            released: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            forced: AtomicU64::new(0),
            abandoned: AtomicU64::new(0),
        }
    }
}

/// How many slots there are, not each of them: whoever prints a semaphore prints this too.
impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slots = self.act(|table, _now| table.len());
        f.debug_struct("MemorySemaphore").field("slots", &slots).finish_non_exhaustive()
    }
}
