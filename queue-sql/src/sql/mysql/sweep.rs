//! The sweep: removing what is past its retention, and what is remembered for nothing any longer.

use queue_core::QueueError;
use sqlx::mysql::MySqlRow;
use sqlx::{MySqlConnection, Row};

use super::groups::Heads;
use super::session::{Session, begin};
use super::text::{MANY, Series, Text, padded};
use super::{MySqlStore, rows, unreadable};
use crate::call::call;
use crate::micros;
use crate::store::QueueRecord;

/// How much of the head of an index one step looks at.
const HEAD: i64 = 1_000;
/// How many groups are locked at a time.
const GROUPS: usize = 10;
/// How many rows of what is remembered one step removes, and how many steps there are at most: thirty-two thousand rows in a
/// sweep, which is every ten seconds.
const AGED: i64 = 1_600;
const STEPS: usize = 20;

/// What is past its retention at the head of the ready index, where receives walk past it. What is in flight gets there;
/// what is behind more messages than this looks at is seen when those are gone.
pub(super) const EXPIRED: &str = "
SELECT h.id FROM (
  SELECT id, sent_us FROM q_message FORCE INDEX (q_message_ready)
  WHERE queue_id = ? AND visible_us <= :now ORDER BY visible_us, id LIMIT ?) h
WHERE h.sent_us <= :now - ? LIMIT ?";

/// Groups whose first message is past its retention, and those without messages, among those that have been ready longest or
/// are ready next. Expired messages behind one that is not are seen when that is gone; they are not delivered.
pub(super) const STALE: &str = "
SELECT g.group_id FROM (
  SELECT queue_id, group_id FROM q_group FORCE INDEX (q_group_ready) WHERE queue_id = ? ORDER BY ready_us LIMIT ?) g
WHERE COALESCE((SELECT m.sent_us FROM q_ordered_message m FORCE INDEX (PRIMARY)
  WHERE m.queue_id = g.queue_id AND m.group_id = g.group_id ORDER BY m.id LIMIT 1), 0) <= :now - ? LIMIT ?";

pub(super) const REMOVE_BEFORE: &str = "
DELETE FROM q_ordered_message WHERE queue_id = ? AND group_id = ? AND id < ? ORDER BY queue_id, group_id, id LIMIT ?";

pub(super) const AGED_IDENTITIES: &str = "
SELECT identity FROM q_deduplication FORCE INDEX (q_deduplication_age)
WHERE queue_id = ? AND expires_us <= :now ORDER BY expires_us LIMIT ?";

pub(super) const REMOVE_IDENTITIES: &str = "
DELETE d FROM ({SELECT CAST(? AS BINARY) AS identity| UNION ALL }) k
STRAIGHT_JOIN q_deduplication d FORCE INDEX (PRIMARY) ON d.queue_id = ? AND d.identity = k.identity
WHERE d.expires_us <= :now";

pub(super) const AGED_ATTEMPTS: &str = "
SELECT attempt_id FROM q_attempt FORCE INDEX (q_attempt_age)
WHERE queue_id = ? AND expires_us <= :now ORDER BY expires_us LIMIT ?";

pub(super) const REMOVE_ATTEMPTS: &str = "
DELETE a FROM ({SELECT CAST(? AS BINARY) AS attempt_id| UNION ALL }) k
STRAIGHT_JOIN q_attempt a FORCE INDEX (PRIMARY) ON a.queue_id = ? AND a.attempt_id = k.attempt_id
WHERE a.expires_us <= :now";

impl MySqlStore {
    /// Finds rows without a lock and removes them by the primary key, in its order and a hundred at a time: so it deadlocks
    /// with nobody (P90).
    pub(super) async fn sweep_queue(&self, queue: &QueueRecord, limit: u32) -> Result<u64, QueueError> {
        if !queue.settings.ordered {
            return self.sweep_standard(queue, limit).await;
        }
        let sql = &self.sql.sweep;
        self.forget(queue, &sql.aged_identities, &sql.remove_identities).await?;
        self.forget(queue, &sql.aged_attempts, &sql.remove_attempts).await?;
        self.sweep_ordered(queue, limit).await
    }

    async fn sweep_standard(&self, queue: &QueueRecord, limit: u32) -> Result<u64, QueueError> {
        let retention = micros::of(queue.settings.retention);
        let expired = || self.sql.sweep.expired.query().bind(queue.id).bind(HEAD).bind(retention).bind(limit);
        let found = call!(self, "sweep", connection => expired().fetch_all(connection))?;
        let numbers: Result<Vec<i64>, _> = found.iter().map(|row| row.try_get(0)).collect();
        self.remove(&numbers.map_err(|error| unreadable("sweep", error))?).await
    }

    async fn sweep_ordered(&self, queue: &QueueRecord, limit: u32) -> Result<u64, QueueError> {
        let retention = micros::of(queue.settings.retention);
        let stale = || self.sql.sweep.stale.query().bind(queue.id).bind(HEAD).bind(retention).bind(limit);
        let found = call!(self, "sweep", connection => stale().fetch_all(connection))?;
        let groups = names(&found)?;
        let mut removed = 0;
        for some in groups.chunks(GROUPS) {
            let rest = u64::from(limit).saturating_sub(removed);
            if rest == 0 {
                break;
            }
            removed +=
                call!(self, "sweep", connection => self.sweep_groups(connection, queue, (some, rest)))?;
        }
        Ok(removed)
    }

    /// Removes what is before the first message of each group that is not past its retention. The groups are locked in
    /// their order, as by all who wait for locks.
    async fn sweep_groups(
        &self,
        connection: &mut MySqlConnection,
        queue: &QueueRecord,
        (groups, limit): (&[String], u64),
    ) -> Result<u64, sqlx::Error> {
        let mut transaction = begin(connection).await?;
        let mut session = Session::new(&mut transaction, &self.sql);
        let groups = session.lock_known(queue.id, groups).await?;
        if groups.is_empty() {
            return Ok(0);
        }
        let heads = session.heads(queue, groups.keys().map(String::as_str)).await?;
        let mut removed = 0;
        for group in groups.keys() {
            removed += session.remove_before(queue, group, (&heads, limit - removed)).await?;
        }
        // What expired in flight holds up its group no longer; one that is ready keeps its turn.
        let waiting = groups.iter().filter(|(_, is_ready)| !**is_ready);
        let ready: Vec<_> = waiting.map(|(group, _)| (group.as_str(), heads.ready_us(group))).collect();
        session.set_ready(queue.id, &ready).await?;
        session.remove_empty(queue.id, &groups.keys().map(String::as_str).collect::<Vec<_>>()).await?;
        transaction.commit().await?;
        Ok(removed)
    }

    /// Removes what has been remembered for long enough.
    async fn forget(&self, queue: &QueueRecord, aged: &Text, remove: &Series) -> Result<(), QueueError> {
        for _ in 0..STEPS {
            let find = || aged.query().bind(queue.id).bind(AGED);
            let found = call!(self, "sweep", connection => find().fetch_all(connection))?;
            let mut names = names(&found)?;
            names.sort_unstable(); // senders lock them in this order too
            for some in names.chunks(MANY) {
                let remove = || {
                    let remove = remove.query(MANY);
                    let remove = padded(some).fold(remove, |remove, name| remove.bind(name.as_bytes()));
                    remove.bind(queue.id)
                };
                call!(self, "sweep", connection => remove().execute(connection))?;
            }
            if names.len() < usize::try_from(AGED).unwrap_or(usize::MAX) {
                break;
            }
        }
        Ok(())
    }
}

impl Session<'_> {
    async fn remove_before(
        &mut self,
        queue: &QueueRecord,
        group: &str,
        (heads, limit): (&Heads, u64),
    ) -> Result<u64, sqlx::Error> {
        let first = heads.by_group.get(group).and_then(|spots| spots.first());
        let before = first.map_or(i64::MAX, |spot| spot.number);
        let remove = self.sql.sweep.remove_before.query().bind(queue.id).bind(group.as_bytes());
        Ok(remove.bind(before).bind(limit).execute(&mut *self.connection).await?.rows_affected())
    }
}

fn names(found: &[MySqlRow]) -> Result<Vec<String>, QueueError> {
    let names: Result<_, _> = found.iter().map(|row| rows::text(row, 0)).collect();
    names.map_err(|error| unreadable("sweep", error))
}
