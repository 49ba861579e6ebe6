//! A queue in tables of its own.

use queue_core::Inspect;
use queue_sql::{SqlQueue, SqlStore};

use super::raw::Raw;
use crate::cycle::publish;

/// How many messages are published; the rest are copies.
const ORIGINALS: usize = 1_000;
/// The tables of a queue.
const TABLES: [&str; 7] =
    ["message", "ordered_message", "group", "deduplication", "attempt", "queue", "migration"];

/// A queue, and how to get at its tables.
pub(crate) struct Place<S: SqlStore> {
    pub(crate) queue: SqlQueue<S>,
    pub(crate) prefix: String,
    pub(super) raw: Raw,
}

impl<S: SqlStore> Place<S> {
    /// Fills it up to `count` messages, by copying rows.
    pub(crate) async fn fill(&self, count: u64) -> anyhow::Result<()> {
        publish(&self.queue, ORIGINALS).await?;
        loop {
            let there = self.queue.depth().await?.total();
            if there >= count {
                return self.raw.analyze(&self.prefix).await;
            }
            self.raw.copy_messages(&self.prefix, there.min(count - there)).await?;
        }
    }

    /// Leaves nothing behind.
    pub(crate) async fn drop_tables(self) -> anyhow::Result<()> {
        for table in TABLES {
            self.raw.run(format!("DROP TABLE {}{table}", self.prefix)).await?;
        }
        Ok(())
    }
}
