//! A database with the permits of a cluster, one a key, on the paused clock.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use semaphore::{FencingToken, Grant, Holder, PermitRequest, PermitToken, Renewal, SemaphoreKey};
use tokio::time::Instant;
use uuid::Uuid;

/// Who has a key, or had it last.
#[derive(Debug)]
struct Row {
    id: Uuid,
    fence: u64,
    until: Instant,
    context: Option<Arc<str>>,
}

/// A database that several processes reach, each over a [`Wire`](crate::wire::Wire) of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Store(Arc<Mutex<HashMap<SemaphoreKey, Row>>>);

impl Store {
    pub(crate) fn acquire(&self, request: &PermitRequest) -> Option<Grant> {
        let key = request.check(Duration::from_millis(1)).unwrap();
        let (now, mut rows) = (Instant::now(), self.0.lock().unwrap());
        if rows.get(&key).is_some_and(|row| row.until > now) {
            return None;
        }
        let (id, fence) = (Uuid::new_v4(), rows.get(&key).map_or(1, |row| row.fence + 1));
        let (until, context) = (now + request.lease(), request.context().cloned());
        rows.insert(key.clone(), Row { id, fence, until, context });
        let token = PermitToken::new(key, 0, id);
        Some(Grant { token, fencing_token: FencingToken::new(fence), asked: now })
    }

    pub(crate) fn renew(&self, token: &PermitToken, renewal: Renewal) -> bool {
        let (now, mut rows) = (Instant::now(), self.0.lock().unwrap());
        let Some(row) = rows.get_mut(token.key()) else { return false };
        let ours = row.id == token.id() && row.until > now;
        if ours {
            row.until = now + renewal.lease;
            row.context = renewal.context.or_else(|| row.context.take());
        }
        ours
    }

    pub(crate) fn release(&self, token: &PermitToken) -> bool {
        let (now, mut rows) = (Instant::now(), self.0.lock().unwrap());
        let Some(row) = rows.get_mut(token.key()) else { return false };
        let ours = row.id == token.id() && row.until > now;
        if ours {
            row.until = now;
        }
        ours
    }

    pub(crate) fn holders(&self, key: &SemaphoreKey) -> Vec<Holder> {
        let (now, rows) = (Instant::now(), self.0.lock().unwrap());
        let row = rows.get(key).filter(|row| row.until > now);
        let holder = |row: &Row| {
            let token = PermitToken::new(key.clone(), 0, row.id);
            let times = (SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH);
            Holder::new(token, FencingToken::new(row.fence), times)
                .with_context(row.context.clone())
                .with_remaining(row.until - now)
        };
        row.map(holder).into_iter().collect()
    }

    /// Takes every key from its holder, as an operator may.
    pub(crate) fn force_release(&self) {
        let now = Instant::now();
        self.0.lock().unwrap().values_mut().for_each(|row| row.until = now);
    }

    /// What stands beside the permit of a key.
    pub(crate) fn context(&self, key: &str) -> Option<String> {
        let holders = self.holders(&SemaphoreKey::new(key).unwrap());
        holders.first()?.context.as_deref().map(str::to_owned)
    }
}
