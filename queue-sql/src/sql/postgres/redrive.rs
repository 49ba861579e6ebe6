//! Redrive: moving visible messages to another queue.

use queue_core::QueueError;
use sqlx::postgres::PgConnection;

use super::PgStore;
use super::groups::places;
use super::mode::begin;
use crate::call::call;
use crate::micros;
use crate::store::QueueRecord;

/// They are a microsecond apart, so that they keep their order.
pub(super) const REDRIVE: &str = "
WITH picked AS MATERIALIZED (
  SELECT array_agg(id ORDER BY visible_at, id) AS ids FROM (
    SELECT id, visible_at FROM q_message
    WHERE queue_id = $1 AND visible_at <= now() AND sent_at > now() - $4 * interval '1 microsecond'
    ORDER BY visible_at, id LIMIT $3 FOR UPDATE SKIP LOCKED) AS ready)
UPDATE q_message AS m SET queue_id = $2, receipt = NULL, received_at = NULL, receive_count = 0,
  visible_at = now() + (array_position(picked.ids, m.id) - cardinality(picked.ids)) * interval '1 microsecond'
FROM picked WHERE m.id = ANY (picked.ids)";

/// The messages that can be taken, of ready groups in turn, which it locks.
pub(super) const VISIBLE: &str = "
SELECT g.group_id, head.id FROM (
  SELECT group_id FROM q_group WHERE queue_id = $1 AND ready_at <= now()
  ORDER BY ready_at FOR UPDATE SKIP LOCKED) AS g,
LATERAL (
  SELECT id FROM (
    SELECT id, bool_and(visible_at <= now()) OVER (ORDER BY id) AS open FROM q_ordered_message AS m
    WHERE m.queue_id = $1 AND m.group_id = g.group_id AND sent_at > now() - $3 * interval '1 microsecond'
    ORDER BY id LIMIT $2) AS first
  WHERE open) AS head
LIMIT $2";

impl PgStore {
    pub(super) async fn redrive_some(
        &self,
        from: &QueueRecord,
        to: &QueueRecord,
        limit: u32,
    ) -> Result<u64, QueueError> {
        if from.settings.ordered {
            return call!(self, "redrive", connection => self.redrive_ordered(connection, (from, to), limit));
        }
        call!(self, "redrive", connection => {
            let redrive = self.mode.query(&self.sql.redrive).bind(from.id).bind(to.id).bind(i64::from(limit));
            self.mode.affected(connection, redrive.bind(micros::of(from.settings.retention)))
        })
    }

    async fn redrive_ordered(
        &self,
        connection: &mut PgConnection,
        (from, to): (&QueueRecord, &QueueRecord),
        limit: u32,
    ) -> Result<u64, sqlx::Error> {
        let mut transaction = begin(connection).await?;
        let visible = self.mode.once(&self.sql.groups.visible).bind(from.id).bind(i64::from(limit));
        let visible = visible.bind(micros::of(from.settings.retention));
        let (groups, ids) = places(&visible.fetch_all(&mut *transaction).await?)?;
        let moved = self.transfer(&mut transaction, (from.id, to.id), (groups.clone(), ids)).await?;
        self.settle_groups(&mut transaction, from, &groups).await?;
        transaction.commit().await?;
        Ok(moved)
    }
}
