//! Inspecting a queue: counting its messages, and removing all of them.

use queue_core::{Depth, QueueError};
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};

use super::PgStore;
use super::mode::begin;
use crate::call::call;
use crate::micros;
use crate::store::QueueRecord;

pub(super) const DEPTH: &str = "
SELECT count(*) FILTER (WHERE visible_at <= now()),
  count(*) FILTER (WHERE visible_at > now() AND receipt IS NOT NULL),
  count(*) FILTER (WHERE visible_at > now() AND receipt IS NULL),
  (extract(epoch FROM now() - min(sent_at)) * 1000000)::bigint
FROM q_message WHERE queue_id = $1 AND sent_at > now() - $2 * interval '1 microsecond'";

pub(super) const DEPTH_ORDERED: &str = "
SELECT count(*) FILTER (WHERE visible_at <= now()),
  count(*) FILTER (WHERE visible_at > now() AND receipt IS NOT NULL),
  count(*) FILTER (WHERE visible_at > now() AND receipt IS NULL),
  (extract(epoch FROM now() - min(sent_at)) * 1000000)::bigint
FROM q_ordered_message WHERE queue_id = $1 AND sent_at > now() - $2 * interval '1 microsecond'";

pub(super) const PURGE: &str = "DELETE FROM q_message WHERE queue_id = $1";

pub(super) const PURGE_ORDERED: &str = "DELETE FROM q_ordered_message WHERE queue_id = $1";

pub(super) const PURGE_GROUPS: &str =
    "UPDATE q_group SET ready_at = NULL WHERE queue_id = $1 AND ready_at IS NOT NULL";

impl PgStore {
    pub(super) async fn count(&self, queue: &QueueRecord) -> Result<Depth, QueueError> {
        let sql = if queue.settings.ordered { &self.sql.depth_ordered } else { &self.sql.depth };
        let retention = micros::of(queue.settings.retention);
        let count = || self.mode.query(sql).bind(queue.id).bind(retention);
        let rows = call!(self, "depth", connection => self.mode.rows(connection, count()))?;
        let row = rows.first().ok_or(sqlx::Error::RowNotFound);
        row.and_then(read).map_err(|error| self.unreadable("depth", error))
    }

    pub(super) async fn purge_all(&self, queue: &QueueRecord) -> Result<(), QueueError> {
        if queue.settings.ordered {
            return call!(self, "purge", connection => self.purge_ordered(connection, queue));
        }
        let purge = || self.mode.query(&self.sql.purge).bind(queue.id);
        call!(self, "purge", connection => self.mode.rows(connection, purge()))?;
        Ok(())
    }

    async fn purge_ordered(
        &self,
        connection: &mut PgConnection,
        queue: &QueueRecord,
    ) -> Result<(), sqlx::Error> {
        let sql = &self.sql.groups;
        let mut transaction = begin(connection).await?;
        for statement in [&sql.lock_all, &sql.purge, &sql.purge_groups] {
            self.mode.query(statement).bind(queue.id).execute(&mut *transaction).await?;
        }
        transaction.commit().await
    }
}

fn read(row: &PgRow) -> Result<Depth, sqlx::Error> {
    let count = |at| row.try_get::<i64, _>(at).map(i64::unsigned_abs);
    let oldest = row.try_get::<Option<i64>, _>(3)?.map(micros::duration);
    Ok(Depth::new(count(0)?, count(1)?, count(2)?).with_oldest(oldest))
}
