//! Taking from groups that are ready: one statement for a receive of an ordered queue.

use queue_core::QueueError;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{Connection, Row};
use tokio::time::Instant;

use super::PgStore;
use super::receive::message;
use super::record::most;
use crate::call::call;
use crate::micros;
use crate::store::{QueueRecord, Received, Taken, Wanted};

/// Takes the first messages of the group that has been ready longest, as long as they are visible one after the other; then
/// those of the next, up to the limit. It locks no more groups than it takes from: the nested loop asks for the next one
/// only when it needs it. If one of the messages was received too often, it takes none: those have to go first. A group that
/// turns out to have none comes without a number. An attempt that is known, or that somebody
/// else is about, takes none either.
pub(super) const TAKE: &str = "
WITH known AS MATERIALIZED (
  SELECT $7 IS NOT NULL AND (NOT pg_try_advisory_xact_lock(hashtextextended('q_attempt ' || $7, $1))
    OR EXISTS (SELECT FROM q_attempt WHERE queue_id = $1 AND attempt_id = $7)) AS hit),
picked AS MATERIALIZED (
  SELECT queue_id, group_id, id, exhausted, row_number() OVER () AS place FROM (
    SELECT g.queue_id, g.group_id, head.id, head.exhausted
    FROM (
      SELECT queue_id, group_id FROM q_group
      WHERE queue_id = $1 AND ready_at > '-infinity' AND ready_at <= now() AND NOT (SELECT hit FROM known)
      ORDER BY ready_at FOR UPDATE SKIP LOCKED) AS g
    LEFT JOIN LATERAL (
      SELECT id, exhausted FROM (
        SELECT id, receive_count >= $6 AS exhausted, bool_and(visible_at <= now()) OVER (ORDER BY id) AS open
        FROM (
          SELECT id, receive_count, visible_at FROM q_ordered_message
          WHERE queue_id = $1 AND group_id = g.group_id AND id > 0 AND id < 9223372036854775807
            AND sent_at > now() - $5 * interval '1 microsecond'
          ORDER BY id LIMIT $2) AS front) AS first
      WHERE open) AS head ON true
    LIMIT $2) AS ready
  LIMIT 10),
due AS MATERIALIZED (
  SELECT clock_timestamp() AS now WHERE NOT EXISTS (SELECT FROM picked WHERE exhausted)),
taken AS (
  UPDATE q_ordered_message AS m SET receipt = $3, receive_count = m.receive_count + 1, received_at = due.now,
    visible_at = due.now + $4 * interval '1 microsecond'
  FROM due, picked WHERE m.queue_id = picked.queue_id AND m.group_id = picked.group_id AND m.id = picked.id
  RETURNING m.id, m.message_id, m.body, m.attributes, m.queue_id, m.group_id, m.receive_count, m.sent_at, m.visible_at),
hidden AS (
  UPDATE q_group AS g SET ready_at = t.until
  FROM (
    SELECT queue_id, group_id, max(least(visible_at, sent_at + $5 * interval '1 microsecond')) AS until
    FROM taken GROUP BY queue_id, group_id) AS t
  WHERE g.queue_id = t.queue_id AND g.group_id = t.group_id),
noted AS (
  INSERT INTO q_attempt (queue_id, attempt_id, receipt, visible_at, group_ids, ids, expires_at)
  SELECT $1, $7, $3, due.now + $4 * interval '1 microsecond', array_agg(taken.group_id ORDER BY place),
    array_agg(id ORDER BY place), due.now + interval '5 minutes'
  FROM due, taken JOIN picked USING (id) WHERE $7 IS NOT NULL AND $4 > 0 GROUP BY due.now)
SELECT known.hit, picked.group_id, picked.exhausted, taken.id, taken.message_id, taken.body, taken.attributes,
  taken.group_id, taken.receive_count, (extract(epoch FROM taken.sent_at) * 1000000)::bigint
FROM known LEFT JOIN picked ON true LEFT JOIN taken USING (id) ORDER BY picked.place";

/// What one statement brought.
#[derive(Debug, Default)]
pub(super) struct Round {
    /// The attempt is known: it may have to be repeated.
    pub(super) known: bool,
    pub(super) taken: Vec<Taken>,
    /// Groups whose heads were received too often, or that have nothing.
    pub(super) amiss: Vec<String>,
}

impl PgStore {
    pub(super) async fn take_ordered(
        &self,
        queue: &QueueRecord,
        wanted: &Wanted,
    ) -> Result<Received, QueueError> {
        let deadline = Instant::now() + self.deadline;
        let mut received = Received::default();
        loop {
            let round = call!(self, "receive", connection => self.take_or_repeat(connection, queue, wanted))?;
            if round.amiss.is_empty() {
                return Ok(Received { taken: round.taken, ..received });
            }
            let mended = call!(self, "receive", connection => self.mend(connection, queue, &round.amiss));
            if !round.taken.is_empty() || Instant::now() >= deadline {
                // What was taken must not be lost, whatever became of the mending.
                return Ok(Received { taken: round.taken, dead: received.dead + mended.unwrap_or(0) });
            }
            received.dead += mended?;
        }
    }

    /// The statement that takes.
    pub(super) async fn take_round(
        &self,
        connection: &mut PgConnection,
        queue: &QueueRecord,
        wanted: &Wanted,
    ) -> Result<Round, sqlx::Error> {
        let query = self.mode.query(&self.sql.groups.take).bind(queue.id).bind(i64::from(wanted.max));
        let statement = query
            .bind(wanted.receipt)
            .bind(micros::of(wanted.visibility))
            .bind(micros::of(queue.settings.retention))
            .bind(most(queue.settings.dead_letter))
            .bind(wanted.attempt.as_deref().map(str::to_owned));
        if connection.is_in_transaction() {
            return read(&statement.fetch_all(connection).await?, wanted);
        }
        read(&self.mode.rows(connection, statement).await?, wanted)
    }
}

fn read(rows: &[PgRow], wanted: &Wanted) -> Result<Round, sqlx::Error> {
    let mut round = Round::default();
    for row in rows {
        round.known |= row.try_get::<bool, _>(0)?;
        let Some(group) = row.try_get::<Option<String>, _>(1)? else { continue };
        if row.try_get::<Option<i64>, _>(3)?.is_some() {
            round.taken.push(message(row, 3, wanted.receipt)?);
        } else if row.try_get::<Option<bool>, _>(2)? != Some(false) {
            round.amiss.push(group); // the others are visible, but beside one that has to go first
        }
    }
    round.amiss.dedup();
    Ok(round)
}
