//! The sweep: removing what is past its retention, and what nobody asks for any longer.
//!
//! It looks at what has been visible longest. A message past its retention that was received lately is further behind; it
//! is never delivered, and it is removed when those before it are gone.

use queue_core::QueueError;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};

use super::PgStore;
use super::mode::begin;
use crate::call::call;
use crate::micros;
use crate::store::QueueRecord;

pub(super) const SWEEP: &str = "
DELETE FROM q_message WHERE id = ANY (ARRAY (
  SELECT id FROM q_message
  WHERE queue_id = $1 AND sent_at <= now() - $3 * interval '1 microsecond' AND id = ANY (ARRAY (
    SELECT id FROM (
      SELECT id, sent_at FROM q_message WHERE queue_id = $1 AND visible_at <= now()
      ORDER BY visible_at, id LIMIT $2) AS head
    WHERE sent_at <= now() - $3 * interval '1 microsecond'))
  FOR UPDATE SKIP LOCKED))";

pub(super) const SWEEP_DEDUPLICATION: &str = "
DELETE FROM q_deduplication WHERE queue_id = $1 AND identity = ANY (ARRAY (
  SELECT identity FROM q_deduplication WHERE queue_id = $1 AND expires_at <= now()
  ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))";

pub(super) const SWEEP_ATTEMPTS: &str = "
DELETE FROM q_attempt WHERE queue_id = $1 AND attempt_id = ANY (ARRAY (
  SELECT attempt_id FROM q_attempt WHERE queue_id = $1 AND expires_at <= now()
  ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))";

/// Groups that have nothing to deliver, and those that are ready, or will be first, and begin with a message past its
/// retention. It locks none: nobody reads such messages any longer.
pub(super) const STALE: &str = "
(SELECT group_id FROM q_group WHERE queue_id = $1 AND ready_at IS NULL LIMIT $2)
UNION ALL
(SELECT group_id FROM (
  SELECT group_id FROM q_group WHERE queue_id = $1 AND ready_at IS NOT NULL ORDER BY ready_at LIMIT $2) AS g
WHERE COALESCE((
  SELECT sent_at <= now() - $3 * interval '1 microsecond' FROM q_ordered_message AS m
  WHERE m.queue_id = $1 AND m.group_id = g.group_id ORDER BY id LIMIT 1), true))";

pub(super) const SWEEP_ORDERED: &str = "
WITH old AS MATERIALIZED (
  SELECT array_agg(group_id) AS group_ids, array_agg(id) AS ids FROM (
    SELECT g.group_id, m.id FROM unnest($2::text[]) AS g (group_id), LATERAL (
      SELECT id FROM (
        SELECT id, sent_at FROM q_ordered_message AS m
        WHERE m.queue_id = $1 AND m.group_id = g.group_id ORDER BY id LIMIT $3) AS first
      WHERE sent_at <= now() - $4 * interval '1 microsecond') AS m
    LIMIT $3) AS head),
held AS MATERIALIZED (
  SELECT m.queue_id, m.group_id, m.id FROM old, LATERAL unnest(old.group_ids, old.ids) AS x (group_id, id), q_ordered_message AS m
  WHERE m.queue_id = $1 AND m.group_id = x.group_id AND m.id = x.id FOR UPDATE OF m SKIP LOCKED)
DELETE FROM q_ordered_message AS m USING held
WHERE m.queue_id = held.queue_id AND m.group_id = held.group_id AND m.id = held.id";

/// Of these groups, those that nobody can receive from and for which that may have changed.
pub(super) const UNREADY: &str = "
SELECT group_id FROM q_group AS g
WHERE queue_id = $1 AND group_id = ANY ($2) AND (ready_at IS NULL OR ready_at > now() OR NOT EXISTS (
  SELECT FROM q_ordered_message AS m WHERE m.queue_id = $1 AND m.group_id = g.group_id))
ORDER BY group_id FOR UPDATE OF g SKIP LOCKED";

/// Groups that are locked and have no message, of any age.
pub(super) const SWEEP_GROUPS: &str = "
DELETE FROM q_group AS g WHERE queue_id = $1 AND group_id = ANY ($2) AND ready_at IS NULL
  AND NOT EXISTS (SELECT FROM q_ordered_message AS m WHERE m.queue_id = $1 AND m.group_id = g.group_id)";

impl PgStore {
    pub(super) async fn sweep_some(&self, queue: &QueueRecord, limit: u32) -> Result<u64, QueueError> {
        if !queue.settings.ordered {
            let retention = micros::of(queue.settings.retention);
            return call!(self, "sweep", connection => {
                let sweep = self.mode.once(&self.sql.sweep).bind(queue.id).bind(i64::from(limit));
                self.mode.affected(connection, sweep.bind(retention))
            });
        }
        for old in [&self.sql.sweep_deduplication, &self.sql.sweep_attempts] {
            while call!(self, "sweep", connection => {
                let sweep = self.mode.query(old).bind(queue.id).bind(i64::from(limit));
                self.mode.affected(connection, sweep)
            })? >= u64::from(limit)
            {}
        }
        call!(self, "sweep", connection => self.sweep_groups(connection, queue, limit))
    }

    async fn sweep_groups(
        &self,
        connection: &mut PgConnection,
        queue: &QueueRecord,
        limit: u32,
    ) -> Result<u64, sqlx::Error> {
        let (sql, retention) = (&self.sql.groups, micros::of(queue.settings.retention));
        let mut transaction = begin(connection).await?;
        let stale = self.mode.once(&sql.stale).bind(queue.id).bind(i64::from(limit)).bind(retention);
        let stale = names(&stale.fetch_all(&mut *transaction).await?)?;
        let mut removed = 0;
        if !stale.is_empty() {
            let sweep = self.mode.once(&sql.sweep).bind(queue.id).bind(stale.clone());
            let sweep = sweep.bind(i64::from(limit)).bind(retention).execute(&mut *transaction).await?;
            removed = sweep.rows_affected();
            let unready = self.mode.once(&sql.unready).bind(queue.id).bind(stale);
            let unready = names(&unready.fetch_all(&mut *transaction).await?)?;
            self.settle_groups(&mut transaction, queue, &unready).await?;
            let groups = self.mode.once(&sql.sweep_groups).bind(queue.id).bind(unready);
            groups.execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(removed)
    }
}

fn names(rows: &[PgRow]) -> Result<Vec<String>, sqlx::Error> {
    rows.iter().map(|row| row.try_get(0)).collect()
}
