//! Publishing: one statement for a batch, also on an ordered queue.

use std::collections::HashMap;

use queue_core::QueueError;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{Postgres, Row};
use uuid::Uuid;

use super::PgStore;
use super::mode::Statement;
use crate::call::call;
use crate::error::{Moment, classify};
use crate::micros;
use crate::store::{Letter, QueueRecord};

/// The messages of a batch are a microsecond apart, so that they become visible in its order.
pub(super) const PUBLISH: &str = "
WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now)
INSERT INTO q_message (queue_id, visible_at, sent_at, message_id, group_id, attributes, body)
SELECT $1, clock.now + (place - cardinality($2) + delay) * interval '1 microsecond',
  clock.now + (place - cardinality($2)) * interval '1 microsecond', message_id, group_id, attributes, body
FROM clock, unnest($2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::text[])
  WITH ORDINALITY AS letter (message_id, delay, group_id, attributes, body, place)
ORDER BY place";

/// First the groups, in order of their names: that locks them until the commit, so that the numbers of a group, which are
/// taken afterwards, are in the order of commits (Q8). Then the identities, in order too (Q9): an identity that is in its
/// window keeps its first message. Then what is new.
pub(super) const PUBLISH_ORDERED: &str = "
WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now),
letter AS MATERIALIZED (
  SELECT message_id, group_id, attributes, body, identity, place,
    clock.now + (place - cardinality($2)) * interval '1 microsecond' AS sent_at,
    clock.now + (place - cardinality($2) + delay) * interval '1 microsecond' AS visible_at
  FROM clock, unnest($2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[])
    WITH ORDINALITY AS x (message_id, delay, group_id, attributes, body, identity, place)),
entered AS (
  INSERT INTO q_group AS g (queue_id, group_id, ready_at)
  SELECT $1, group_id, (array_agg(visible_at ORDER BY place))[1] FROM letter
  GROUP BY group_id ORDER BY group_id COLLATE \"C\"
  ON CONFLICT (queue_id, group_id) DO UPDATE SET ready_at = COALESCE(g.ready_at, excluded.ready_at)
  RETURNING group_id),
first AS (
  INSERT INTO q_deduplication AS d (queue_id, identity, message_id, expires_at)
  SELECT $1, identity, message_id, sent_at + interval '5 minutes'
  FROM letter, (SELECT count(*) FROM entered) AS locked
  ORDER BY identity COLLATE \"C\"
  ON CONFLICT (queue_id, identity) DO UPDATE SET
    message_id = CASE WHEN d.expires_at <= clock_timestamp() THEN excluded.message_id ELSE d.message_id END,
    expires_at = CASE WHEN d.expires_at <= clock_timestamp() THEN excluded.expires_at ELSE d.expires_at END
  RETURNING identity, message_id),
stored AS (
  INSERT INTO q_ordered_message (queue_id, group_id, visible_at, sent_at, message_id, attributes, body)
  SELECT $1, letter.group_id, visible_at, sent_at, message_id, attributes, body
  FROM letter JOIN first USING (message_id) ORDER BY place)
SELECT identity, message_id FROM first";

impl PgStore {
    pub(super) async fn store_letters(
        &self,
        queue: &QueueRecord,
        letters: &[Letter],
    ) -> Result<Vec<Uuid>, QueueError> {
        let rows = call!(self, "publish", connection => {
            self.mode.rows(connection, self.statement(queue, letters))
        })?;
        ids(queue, letters, &rows).map_err(|error| self.unreadable("publish", error))
    }

    /// The caller's transaction decides what becomes of it.
    pub(super) async fn store_letters_in(
        &self,
        connection: &mut PgConnection,
        queue: &QueueRecord,
        letters: &[Letter],
    ) -> Result<Vec<Uuid>, QueueError> {
        let rows = self.statement(queue, letters).fetch_all(connection).await;
        rows.and_then(|rows| ids(queue, letters, &rows))
            .map_err(|error| classify::<Postgres>("publish", Moment::Working, error))
    }

    fn statement(&self, queue: &QueueRecord, letters: &[Letter]) -> Statement {
        if !queue.settings.ordered {
            let letters: Vec<_> = letters.iter().collect();
            return bind(self.mode.query(&self.sql.publish), queue, &letters);
        }
        let letters = firsts(letters);
        let identities: Vec<_> = letters.iter().map(|letter| letter.identity.clone()).collect();
        bind(self.mode.query(&self.sql.publish_ordered), queue, &letters).bind(identities)
    }
}

fn bind(query: Statement, queue: &QueueRecord, letters: &[&Letter]) -> Statement {
    let column =
        |of: fn(&Letter) -> Option<String>| letters.iter().map(|&letter| of(letter)).collect::<Vec<_>>();
    query
        .bind(queue.id)
        .bind(letters.iter().map(|letter| letter.id).collect::<Vec<_>>())
        .bind(letters.iter().map(|letter| micros::of(letter.delay)).collect::<Vec<_>>())
        .bind(column(|letter| letter.group.as_deref().map(str::to_owned)))
        .bind(column(|letter| letter.attributes.clone()))
        .bind(column(|letter| Some(letter.body.to_string())))
}

/// The letters without those of a batch that repeat an earlier one (Q9).
fn firsts(letters: &[Letter]) -> Vec<&Letter> {
    let mut seen = std::collections::HashSet::new();
    letters.iter().filter(|letter| seen.insert(letter.identity.as_deref())).collect()
}

/// The id of each letter: of a duplicate the first one's.
fn ids(queue: &QueueRecord, letters: &[Letter], rows: &[PgRow]) -> Result<Vec<Uuid>, sqlx::Error> {
    if !queue.settings.ordered {
        return Ok(letters.iter().map(|letter| letter.id).collect());
    }
    let stored: HashMap<String, Uuid> =
        rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<_, sqlx::Error>>()?;
    let of = |letter: &Letter| stored.get(letter.identity.as_deref().unwrap_or_default()).copied();
    letters.iter().map(|letter| of(letter).ok_or(sqlx::Error::RowNotFound)).collect()
}
