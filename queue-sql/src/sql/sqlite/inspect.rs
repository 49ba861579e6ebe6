//! Inspecting: how many messages there are, and removing all of them.

use std::collections::BTreeSet;

use async_trait::async_trait;
use queue_core::{Depth, QueueError};
use sqlx::Row;

use super::SqliteStore;
use super::groups::{Turns, tally};
use super::operation::{On, Operation};
use crate::micros;
use crate::store::QueueRecord;

/// How many messages one step of a purge removes: few enough to hold up nobody for long.
const STEP: u32 = 5_000;

/// Counts messages by state.
#[derive(Debug)]
pub(super) struct CountDepth {
    pub(super) queue: QueueRecord,
}

#[async_trait]
impl Operation for CountDepth {
    type Answer = Depth;

    const WHAT: &'static str = "count messages";

    fn is_single(&self) -> bool {
        true
    }

    async fn run(&self, on: On<'_>) -> Result<Depth, sqlx::Error> {
        let statements = on.statements;
        let ordered = self.queue.settings.ordered;
        let text = if ordered { &statements.ordered.depth } else { &statements.standard.depth };
        let query = text.query().bind(self.queue.id).bind(micros::of(self.queue.settings.retention));
        let row = query.fetch_one(on.connection).await?;
        let [visible, in_flight, delayed] = [0, 1, 2].map(|column| row.try_get::<u64, _>(column));
        let oldest: Option<i64> = row.try_get(3)?;
        Ok(Depth::new(visible?, in_flight?, delayed?).with_oldest(oldest.map(micros::duration)))
    }
}

/// Removes every message, step by step.
pub(super) async fn purge(store: &SqliteStore, queue: &QueueRecord) -> Result<(), QueueError> {
    while store.write(Purge { queue: queue.clone() }).await? == u64::from(STEP) {}
    Ok(())
}

/// Removes messages.
#[derive(Debug)]
struct Purge {
    queue: QueueRecord,
}

#[async_trait]
impl Operation for Purge {
    type Answer = u64;

    const WHAT: &'static str = "purge";

    fn is_single(&self) -> bool {
        !self.queue.settings.ordered
    }

    async fn run(&self, mut on: On<'_>) -> Result<u64, sqlx::Error> {
        if self.queue.settings.ordered {
            return self.purge_ordered(&mut on).await;
        }
        let query = on.statements.standard.purge.query().bind(self.queue.id).bind(STEP);
        Ok(query.execute(on.connection).await?.rows_affected())
    }
}

impl Purge {
    async fn purge_ordered(&self, on: &mut On<'_>) -> Result<u64, sqlx::Error> {
        let query = on.statements.ordered.purge.query().bind(self.queue.id).bind(STEP);
        let rows = query.fetch_all(&mut *on.connection).await?;
        let groups = rows.iter().map(|row| row.try_get(0)).collect::<Result<BTreeSet<&str>, _>>()?;
        if !groups.is_empty() {
            tally(on, self.queue.id, groups, Turns::Keep).await?;
        }
        Ok(rows.len() as u64)
    }
}
