//! Sweeping: removing what has grown old.

use std::collections::BTreeSet;

use async_trait::async_trait;
use queue_core::QueueError;
use sqlx::Row;

use super::SqliteStore;
use super::groups::{Turns, tally};
use super::operation::{On, Operation};
use crate::micros;
use crate::store::QueueRecord;

/// How many of the messages of a standard queue that are next to be received are looked at, for each that is to be
/// removed.
const REACH: u32 = 2;

/// Removes up to `limit` messages past their retention, and identities and attempts past their time.
///
/// Of a standard queue it removes those that a receive would have to step over. One that is in flight, or behind a
/// thousand younger ones, goes when it gets there: it is in nobody's way, is not delivered and not counted. Of an ordered
/// queue it removes any.
pub(super) async fn sweep(store: &SqliteStore, queue: &QueueRecord, limit: u32) -> Result<u64, QueueError> {
    if store.read(Look { queue: queue.clone(), limit }).await? {
        return store.write(Sweep { queue: queue.clone(), limit }).await;
    }
    Ok(0)
}

/// Looks whether there is anything to sweep.
#[derive(Debug)]
struct Look {
    queue: QueueRecord,
    limit: u32,
}

#[async_trait]
impl Operation for Look {
    type Answer = bool;

    const WHAT: &'static str = "look for old messages";

    fn is_single(&self) -> bool {
        true
    }

    async fn run(&self, on: On<'_>) -> Result<bool, sqlx::Error> {
        let query = on.statements.shared.sweepable.query().bind(self.queue.id);
        let query = query.bind(micros::of(self.queue.settings.retention)).bind(REACH * self.limit);
        query.fetch_one(on.connection).await?.try_get(0)
    }
}

/// Sweeps.
#[derive(Debug)]
struct Sweep {
    queue: QueueRecord,
    limit: u32,
}

#[async_trait]
impl Operation for Sweep {
    type Answer = u64;

    const WHAT: &'static str = "sweep";

    async fn run(&self, mut on: On<'_>) -> Result<u64, sqlx::Error> {
        let retention = micros::of(self.queue.settings.retention);
        if !self.queue.settings.ordered {
            let query = on.statements.standard.expire.query().bind(self.queue.id).bind(retention);
            let query = query.bind(REACH * self.limit).bind(self.limit);
            return Ok(query.execute(on.connection).await?.rows_affected());
        }
        let shared = &on.statements.shared;
        for text in [&shared.forget_identities, &shared.forget_attempts] {
            text.query().bind(self.queue.id).bind(10 * self.limit).execute(&mut *on.connection).await?;
        }
        let query = on.statements.ordered.expire.query().bind(self.queue.id).bind(retention).bind(self.limit);
        let rows = query.fetch_all(&mut *on.connection).await?;
        let groups = rows.iter().map(|row| row.try_get(0)).collect::<Result<BTreeSet<&str>, _>>()?;
        if !groups.is_empty() {
            tally(&mut on, self.queue.id, groups, Turns::Keep).await?;
        }
        Ok(rows.len() as u64)
    }
}
