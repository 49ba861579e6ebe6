//! Groups of ordered queues: locking them, and finding out when each is ready next.
//!
//! Whoever changes messages of a group locks the group's row first, several groups in order of their names; then nothing of
//! the group changes under it. A receive locks one ready group after the other and skips those that others hold.
//!
//! A plan may have been made while the tables were small, and lasts. So the statements leave planners no way but by key:
//! limits that never cut and ranges that leave nothing out say that there are few rows, and a queue's number that comes as a
//! column does not invite to look for all rows of the queue.

use std::collections::BTreeSet;

use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};

use super::PgStore;
use super::mode::begin;
use super::record::most;
use crate::micros;
use crate::store::{QueueId, QueueRecord};

pub(super) const LOCK: &str = "
SELECT g.group_id, COALESCE(ready_at <= clock_timestamp(), false) FROM (
  SELECT $1::bigint AS queue_id, group_id FROM unnest($2::text[]) AS x (group_id) LIMIT cardinality($2)) AS x
JOIN q_group AS g ON g.queue_id = x.queue_id AND g.group_id = x.group_id
ORDER BY g.group_id FOR UPDATE OF g";

pub(super) const LOCK_ALL: &str = "
SELECT group_id FROM q_group WHERE queue_id = $1 ORDER BY group_id FOR UPDATE";

/// A group is ready when its head is visible and none of its messages is in flight. What is in flight is among the first ten
/// messages, as a receive takes no more. Retention ends either state. A group that was ready before keeps its turn; one that
/// becomes ready is last.
pub(super) const SETTLE: &str = "
UPDATE q_group AS g SET ready_at = (
  SELECT CASE WHEN max(until) > clock_timestamp() THEN max(until)
    WHEN max(until) IS NOT NULL THEN least(g.ready_at, clock_timestamp()) END
  FROM (
    SELECT CASE WHEN receipt IS NOT NULL OR row_number() OVER (ORDER BY id) = 1
      THEN least(visible_at, sent_at + $3 * interval '1 microsecond') END AS until
    FROM q_ordered_message AS m
    WHERE m.queue_id = g.queue_id AND m.group_id = g.group_id AND id > 0 AND id < 9223372036854775807
      AND sent_at > now() - $3 * interval '1 microsecond'
    ORDER BY id LIMIT 10) AS front)
FROM (
  SELECT $1::bigint AS queue_id, group_id FROM unnest($2::text[]) AS x (group_id) LIMIT cardinality($2)) AS x
WHERE g.queue_id = x.queue_id AND g.group_id = x.group_id";

/// Of groups that are ready and locked.
pub(super) const EXHAUSTED: &str = "
SELECT group_id, id FROM unnest($2::text[]) AS g (group_id), LATERAL (
  SELECT id, receive_count, bool_and(visible_at <= now()) OVER (ORDER BY id) AS open FROM (
    SELECT id, receive_count, visible_at FROM q_ordered_message AS m
    WHERE m.queue_id = $1 AND m.group_id = g.group_id AND sent_at > now() - $3 * interval '1 microsecond'
    ORDER BY id LIMIT 10) AS front) AS first
WHERE open AND receive_count >= $4";

/// Before messages are moved to groups: locks them, as publishing does.
pub(super) const ENTER: &str = "
INSERT INTO q_group AS g (queue_id, group_id, ready_at)
SELECT $1, group_id, clock_timestamp() FROM unnest($2::text[]) AS x (group_id)
GROUP BY group_id ORDER BY group_id COLLATE \"C\"
ON CONFLICT (queue_id, group_id) DO UPDATE SET ready_at = COALESCE(g.ready_at, excluded.ready_at)";

/// Moves messages to the end of their group in another queue, in their order.
pub(super) const TRANSFER: &str = "
WITH gone AS (
  DELETE FROM q_ordered_message AS m USING unnest($2::text[], $3::bigint[]) AS x (group_id, id)
  WHERE m.queue_id = $1 AND m.group_id = x.group_id AND m.id = x.id RETURNING m.*)
INSERT INTO q_ordered_message (queue_id, group_id, visible_at, sent_at, message_id, moved_from, attributes, body)
SELECT $4, group_id, clock_timestamp(), sent_at, message_id, id, attributes, body FROM gone ORDER BY id";

impl PgStore {
    /// Locks groups, and answers those that are ready.
    pub(super) async fn lock_groups(
        &self,
        connection: &mut PgConnection,
        queue: QueueId,
        groups: &[String],
    ) -> Result<Vec<String>, sqlx::Error> {
        let groups: BTreeSet<_> = groups.iter().cloned().collect();
        let lock = self.mode.query(&self.sql.groups.lock).bind(queue).bind(Vec::from_iter(groups));
        let mut ready = Vec::new();
        for row in lock.fetch_all(connection).await? {
            if row.try_get(1)? {
                ready.push(row.try_get(0)?);
            }
        }
        Ok(ready)
    }

    /// Finds out when groups are ready next. They are locked.
    pub(super) async fn settle_groups(
        &self,
        connection: &mut PgConnection,
        queue: &QueueRecord,
        groups: &[String],
    ) -> Result<(), sqlx::Error> {
        let settle = self.mode.query(&self.sql.groups.settle).bind(queue.id).bind(groups.to_vec());
        settle.bind(micros::of(queue.settings.retention)).execute(connection).await?;
        Ok(())
    }

    /// Moves messages to the end of their groups in another queue, and answers how many. Their groups are locked.
    pub(super) async fn transfer(
        &self,
        connection: &mut PgConnection,
        (from, to): (QueueId, QueueId),
        (groups, ids): (Vec<String>, Vec<i64>),
    ) -> Result<u64, sqlx::Error> {
        if ids.is_empty() {
            return Ok(0);
        }
        let enter = self.mode.query(&self.sql.groups.enter).bind(to).bind(groups.clone());
        enter.execute(&mut *connection).await?;
        let transfer = self.mode.once(&self.sql.groups.transfer).bind(from).bind(groups).bind(ids).bind(to);
        Ok(transfer.execute(connection).await?.rows_affected())
    }

    /// Puts groups right that a receive could not take from, and answers how many messages were moved.
    pub(super) async fn mend(
        &self,
        connection: &mut PgConnection,
        queue: &QueueRecord,
        groups: &[String],
    ) -> Result<u64, sqlx::Error> {
        let mut transaction = begin(connection).await?;
        let ready = self.lock_groups(&mut transaction, queue.id, groups).await?;
        let mut moved = 0;
        if let Some(dead) = queue.settings.dead_letter {
            let exhausted = self.mode.once(&self.sql.groups.exhausted).bind(queue.id).bind(ready);
            let exhausted = exhausted.bind(micros::of(queue.settings.retention)).bind(most(Some(dead)));
            let places = places(&exhausted.fetch_all(&mut *transaction).await?)?;
            moved = self.transfer(&mut transaction, (queue.id, dead.queue), places).await?;
        }
        self.settle_groups(&mut transaction, queue, groups).await?;
        transaction.commit().await?;
        Ok(moved)
    }
}

/// Groups and numbers, in columns.
pub(super) fn places(rows: &[PgRow]) -> Result<(Vec<String>, Vec<i64>), sqlx::Error> {
    rows.iter().map(|row| Ok((row.try_get::<String, _>(0)?, row.try_get::<i64, _>(1)?))).collect()
}
