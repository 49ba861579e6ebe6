//! Repeating a receive whose answer was lost (Q8).

use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};
use uuid::Uuid;

use super::PgStore;
use super::errors::{UNIQUE_VIOLATION, is};
use super::mode::begin;
use super::receive::message;
use super::take::Round;
use crate::micros;
use crate::store::{QueueRecord, Wanted};

/// Waits for whoever is about the same attempt; it is the lock that a receive tries to take.
pub(super) const LOCK_ATTEMPT: &str =
    "SELECT pg_advisory_xact_lock(hashtextextended('q_attempt ' || $2, $1))";

pub(super) const ATTEMPT: &str = "
SELECT group_ids, ids, receipt, expires_at > clock_timestamp() FROM q_attempt
WHERE queue_id = $1 AND attempt_id = $2";

pub(super) const END_ATTEMPT: &str = "DELETE FROM q_attempt WHERE queue_id = $1 AND attempt_id = $2";

/// Whether all that the attempt brought is still as it was. The groups are locked.
pub(super) const IS_WHOLE: &str = "
SELECT count(m.id) = cardinality(a.ids)
FROM q_attempt AS a, LATERAL unnest(a.group_ids, a.ids) AS x (group_id, id)
JOIN q_ordered_message AS m ON m.queue_id = $1 AND m.group_id = x.group_id AND m.id = x.id
WHERE a.queue_id = $1 AND a.attempt_id = $2 AND m.receipt = a.receipt AND m.visible_at = a.visible_at
  AND m.visible_at > clock_timestamp() AND m.sent_at > now() - $3 * interval '1 microsecond'
GROUP BY a.ids";

/// Hides the first messages anew, from one moment on, and shows the rest.
pub(super) const REPEAT: &str = "
WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now)
UPDATE q_ordered_message AS m SET
  received_at = CASE WHEN place <= $5 THEN clock.now ELSE m.received_at END,
  visible_at = clock.now + CASE WHEN place <= $5 THEN $4 ELSE 0 END * interval '1 microsecond'
FROM clock, unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS x (group_id, id, place)
WHERE m.queue_id = $1 AND m.group_id = x.group_id AND m.id = x.id
RETURNING place, m.id, m.message_id, m.body, m.attributes, m.group_id, m.receive_count,
  (extract(epoch FROM m.sent_at) * 1000000)::bigint";

/// What the attempt brought now.
pub(super) const NOTE_REPEAT: &str = "
UPDATE q_attempt AS a SET group_ids = a.group_ids[1:$3], ids = a.ids[1:$3], visible_at = (
  SELECT visible_at FROM q_ordered_message AS m
  WHERE m.queue_id = $1 AND m.group_id = a.group_ids[1] AND m.id = a.ids[1])
WHERE a.queue_id = $1 AND a.attempt_id = $2";

/// What an attempt brought.
struct Brought {
    groups: Vec<String>,
    ids: Vec<i64>,
    receipt: Uuid,
    lives: bool,
}

impl PgStore {
    /// One statement, unless the attempt is known.
    pub(super) async fn take_or_repeat(
        &self,
        connection: &mut PgConnection,
        queue: &QueueRecord,
        wanted: &Wanted,
    ) -> Result<Round, sqlx::Error> {
        let attempt = match self.take_round(connection, queue, wanted).await {
            Ok(Round { known: false, taken, amiss }) => return Ok(Round { known: false, taken, amiss }),
            Ok(_) => wanted.attempt.as_deref(),
            // The same attempt was committed just before.
            Err(error) if is(&error, UNIQUE_VIOLATION) => wanted.attempt.as_deref(),
            Err(error) => return Err(error),
        };
        self.repeat_or_take(connection, queue, (wanted, attempt.unwrap_or_default())).await
    }

    /// Repeats the attempt if it can be; takes anew if not.
    async fn repeat_or_take(
        &self,
        connection: &mut PgConnection,
        queue: &QueueRecord,
        (wanted, attempt): (&Wanted, &str),
    ) -> Result<Round, sqlx::Error> {
        let mut transaction = begin(connection).await?;
        let lock = self.mode.query(&self.sql.groups.lock_attempt).bind(queue.id).bind(attempt.to_owned());
        lock.execute(&mut *transaction).await?;
        let found = self.mode.query(&self.sql.groups.attempt).bind(queue.id).bind(attempt.to_owned());
        let found = found.fetch_optional(&mut *transaction).await?;
        let brought = found.as_ref().map(Brought::read).transpose()?.filter(|brought| brought.lives);
        if let Some(brought) = brought
            && self.is_whole(&mut transaction, queue, (attempt, &brought)).await?
        {
            let round = self.repeat(&mut transaction, queue, (wanted, attempt, &brought)).await?;
            transaction.commit().await?;
            return Ok(round);
        }
        self.end_attempt(&mut transaction, queue, attempt).await?;
        let round = self.take_round(&mut transaction, queue, wanted).await?;
        transaction.commit().await?;
        Ok(round)
    }

    async fn is_whole(
        &self,
        connection: &mut PgConnection,
        queue: &QueueRecord,
        (attempt, brought): (&str, &Brought),
    ) -> Result<bool, sqlx::Error> {
        self.lock_groups(connection, queue.id, &brought.groups).await?;
        let query = self.mode.once(&self.sql.groups.is_whole).bind(queue.id).bind(attempt.to_owned());
        let whole = query.bind(micros::of(queue.settings.retention)).fetch_optional(connection).await?;
        whole.map_or(Ok(false), |row| row.try_get(0))
    }

    /// Of a receive that asks for fewer than the attempt brought, the rest is visible again.
    async fn repeat(
        &self,
        connection: &mut PgConnection,
        queue: &QueueRecord,
        (wanted, attempt, brought): (&Wanted, &str, &Brought),
    ) -> Result<Round, sqlx::Error> {
        let Brought { groups, ids, receipt, .. } = brought;
        let repeat = self.mode.once(&self.sql.groups.repeat).bind(queue.id).bind(groups.clone());
        let repeat = repeat.bind(ids.clone()).bind(micros::of(wanted.visibility)).bind(i64::from(wanted.max));
        let mut rows = repeat.fetch_all(&mut *connection).await?;
        if wanted.visibility.is_zero() {
            self.end_attempt(connection, queue, attempt).await?;
        } else {
            let note = self.mode.query(&self.sql.groups.note_repeat).bind(queue.id).bind(attempt.to_owned());
            note.bind(i32::try_from(wanted.max).unwrap_or(i32::MAX)).execute(&mut *connection).await?;
        }
        self.settle_groups(connection, queue, groups).await?;
        rows.sort_by_key(|row| row.try_get::<i64, _>(0).unwrap_or(0));
        let taken = rows.iter().take(wanted.max as usize).map(|row| message(row, 1, *receipt));
        Ok(Round { taken: taken.collect::<Result<_, _>>()?, ..Round::default() })
    }

    async fn end_attempt(
        &self,
        connection: &mut PgConnection,
        queue: &QueueRecord,
        attempt: &str,
    ) -> Result<(), sqlx::Error> {
        let end = self.mode.query(&self.sql.groups.end_attempt).bind(queue.id).bind(attempt.to_owned());
        end.execute(connection).await?;
        Ok(())
    }
}

impl Brought {
    fn read(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            groups: row.try_get(0)?,
            ids: row.try_get(1)?,
            receipt: row.try_get(2)?,
            lives: row.try_get(3)?,
        })
    }
}
