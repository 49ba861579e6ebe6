//! Receiving from a standard queue: one statement that takes, counts, hides, and moves what was received too often.

use queue_core::QueueError;
use sqlx::Row;
use sqlx::postgres::PgRow;
use tokio::time::Instant;
use uuid::Uuid;

use super::PgStore;
use super::horizon::{Bound, Found};
use super::mode::Statement;
use super::record::most;
use crate::call::call;
use crate::micros;
use crate::store::{QueueRecord, Received, Taken, Wanted};

/// The inner select runs once, whatever the plan, as it is materialized: so never more than the limit. `now()` is an index
/// condition; the running clock would not be. The second limit never cuts: it tells planners, who can't know the first, that
/// there are few rows to find by key. Both bounds of the time keep them from expecting so many that sorting looks better than
/// walking the index.
pub(super) const RECEIVE: &str = "
WITH picked AS MATERIALIZED (
  SELECT id, row_number() OVER (ORDER BY visible_at, id) AS place, max(visible_at) OVER () AS latest
  FROM (
    SELECT id, visible_at FROM q_message
    WHERE queue_id = $1 AND visible_at <= now()
      AND visible_at >= timestamptz 'epoch' + $3 * interval '1 microsecond'
      AND sent_at > now() - $6 * interval '1 microsecond'
    ORDER BY visible_at, id LIMIT $2 FOR UPDATE SKIP LOCKED) AS ready
  LIMIT 10)
UPDATE q_message AS m SET
  queue_id = CASE WHEN m.receive_count >= $7 THEN $8 ELSE m.queue_id END,
  receipt = CASE WHEN m.receive_count >= $7 THEN NULL ELSE $4 END,
  received_at = CASE WHEN m.receive_count >= $7 THEN NULL ELSE clock_timestamp() END,
  receive_count = CASE WHEN m.receive_count >= $7 THEN 0 ELSE m.receive_count + 1 END,
  visible_at = clock_timestamp() + CASE WHEN m.receive_count >= $7
    THEN picked.place - 10 ELSE $5 END * interval '1 microsecond'
FROM picked WHERE m.id = picked.id
RETURNING picked.place, (extract(epoch FROM picked.latest) * 1000000)::bigint, m.receipt,
  m.id, m.message_id, m.body, m.attributes, m.group_id, m.receive_count,
  (extract(epoch FROM m.sent_at) * 1000000)::bigint,
  (extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000000)::bigint";

impl PgStore {
    /// Takes, and once more as long as messages were moved instead: they must not stand in the way of others.
    pub(super) async fn take(&self, queue: &QueueRecord, wanted: &Wanted) -> Result<Received, QueueError> {
        let deadline = Instant::now() + self.deadline;
        let mut received = Received::default();
        loop {
            let room = wanted.max.saturating_sub(u32::try_from(received.taken.len()).unwrap_or(u32::MAX));
            let round = match self.take_once(queue, wanted, room).await {
                Ok(round) => round,
                Err(error) if received.taken.is_empty() => return Err(error),
                Err(_) => return Ok(received), // what was taken before must not be lost
            };
            let again = round.dead > 0 && round.taken.len() < room as usize && Instant::now() < deadline;
            received.dead += round.dead;
            received.taken.extend(round.taken);
            if !again {
                return Ok(received);
            }
        }
    }

    /// One round, from the horizon on.
    async fn take_once(
        &self,
        queue: &QueueRecord,
        wanted: &Wanted,
        room: u32,
    ) -> Result<Received, QueueError> {
        let unreadable = |error| self.unreadable("receive", error);
        let bound = self.horizon.bound(queue.id);
        let rows = self.take_from(queue, wanted, (room, &bound)).await?;
        let found = rows.last().map(found).transpose().map_err(unreadable)?;
        self.horizon.found(&bound, found);
        read(&rows).map_err(unreadable)
    }

    async fn take_from(
        &self,
        queue: &QueueRecord,
        wanted: &Wanted,
        (room, bound): (u32, &Bound),
    ) -> Result<Vec<PgRow>, QueueError> {
        let dead = queue.settings.dead_letter;
        let statement = || -> Statement {
            let query = self.mode.query(&self.sql.receive).bind(queue.id).bind(i64::from(room));
            query
                .bind(bound.low_us)
                .bind(wanted.receipt)
                .bind(micros::of(wanted.visibility))
                .bind(micros::of(queue.settings.retention))
                .bind(most(dead))
                .bind(dead.map(|dead| dead.queue))
        };
        call!(self, "receive", connection => self.mode.rows(connection, statement()))
    }
}

/// The last message's time, and how long the statement took before its commit.
fn found(row: &PgRow) -> Result<Found, sqlx::Error> {
    Ok(Found { latest_us: row.try_get(1)?, took: micros::duration(row.try_get(10)?) })
}

/// The rows come in no order.
fn read(rows: &[PgRow]) -> Result<Received, sqlx::Error> {
    let mut received = Received::default();
    let mut taken: Vec<(i64, Taken)> = Vec::with_capacity(rows.len());
    for row in rows {
        match row.try_get::<Option<Uuid>, _>(2)? {
            Some(receipt) => taken.push((row.try_get(0)?, message(row, 3, receipt)?)),
            None => received.dead += 1,
        }
    }
    taken.sort_unstable_by_key(|(place, _)| *place);
    received.taken = taken.into_iter().map(|(_, taken)| taken).collect();
    Ok(received)
}

/// A message, from the column `at` on: its number, id, body, attributes, group, receive count, time of sending.
pub(super) fn message(row: &PgRow, at: usize, receipt: Uuid) -> Result<Taken, sqlx::Error> {
    Ok(Taken {
        number: row.try_get(at)?,
        id: row.try_get(at + 1)?,
        receipt,
        body: row.try_get(at + 2)?,
        attributes: row.try_get(at + 3)?,
        group: row.try_get(at + 4)?,
        receive_count: u32::try_from(row.try_get::<i32, _>(at + 5)?).unwrap_or(0),
        sent_us: row.try_get(at + 6)?,
    })
}
