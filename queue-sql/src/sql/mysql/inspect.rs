//! Looking into a queue, and emptying it.

use queue_core::{Depth, QueueError};
use sqlx::mysql::MySqlRow;
use sqlx::{MySqlConnection, Row};

use super::groups::named;
use super::session::{Session, begin};
use super::text::{MANY, padded};
use super::{MySqlStore, rows, unreadable};
use crate::call::call;
use crate::micros;
use crate::store::{QueueId, QueueRecord};

/// How many messages one step removes, and of how many groups.
const STEP: i64 = 1_000;
const GROUPS: i64 = 10;

pub(super) const DEPTH: &str = "
SELECT COUNT(IF(visible_us <= :now, 1, NULL)), COUNT(IF(visible_us > :now AND receipt IS NOT NULL, 1, NULL)),
  COUNT(IF(visible_us > :now AND receipt IS NULL, 1, NULL)), :now - MIN(sent_us)
FROM q_message WHERE queue_id = ? AND sent_us > :now - ?";

pub(super) const DEPTH_ORDERED: &str = "
SELECT COUNT(IF(visible_us <= :now, 1, NULL)), COUNT(IF(visible_us > :now AND receipt IS NOT NULL, 1, NULL)),
  COUNT(IF(visible_us > :now AND receipt IS NULL, 1, NULL)), :now - MIN(sent_us)
FROM q_ordered_message WHERE queue_id = ? AND sent_us > :now - ?";

pub(super) const LATEST: &str = "SELECT COALESCE(MAX(id), 0) FROM q_message";

pub(super) const STORED: &str = "
SELECT id FROM q_message FORCE INDEX (q_message_ready) WHERE queue_id = ? AND id <= ? LIMIT ?";

/// By the primary key, in its order: the index would be locked before the rows, and a delete does it the other way round.
pub(super) const REMOVE: &str = "
DELETE m FROM q_message m FORCE INDEX (PRIMARY) WHERE m.id IN ({?})";

pub(super) const GROUPS_AFTER: &str = "
SELECT group_id FROM q_group FORCE INDEX (PRIMARY) WHERE queue_id = ? AND group_id > ? ORDER BY group_id LIMIT ?";

pub(super) const REMOVE_OF_GROUPS: &str = "
DELETE FROM q_ordered_message WHERE queue_id = ? AND group_id IN ({?}) ORDER BY queue_id, group_id, id LIMIT ?";

pub(super) const FORGET_ATTEMPTS: &str = "DELETE FROM q_attempt WHERE queue_id = ?";

impl MySqlStore {
    pub(super) async fn count(&self, queue: &QueueRecord) -> Result<Depth, QueueError> {
        let text = if queue.settings.ordered { &self.sql.depth_ordered } else { &self.sql.depth };
        let retention = micros::of(queue.settings.retention);
        let ask = || text.query().bind(queue.id).bind(retention);
        let row = call!(self, "depth", connection => ask().fetch_one(connection))?;
        depth(&row).map_err(|error| unreadable("depth", error))
    }

    /// Removes what is there now, in steps.
    pub(super) async fn purge_messages(&self, queue: &QueueRecord) -> Result<(), QueueError> {
        if queue.settings.ordered {
            return self.purge_ordered(queue).await;
        }
        let latest = call!(self, "purge", connection => self.sql.latest.query().fetch_one(connection))?;
        let latest: i64 = latest.try_get(0).map_err(|error| unreadable("purge", error))?;
        loop {
            let stored = || self.sql.stored.query().bind(queue.id).bind(latest).bind(STEP);
            let found = call!(self, "purge", connection => stored().fetch_all(connection))?;
            if found.is_empty() {
                return Ok(());
            }
            let numbers: Result<Vec<i64>, _> = found.iter().map(|row| row.try_get(0)).collect();
            self.remove(&numbers.map_err(|error| unreadable("purge", error))?).await?;
        }
    }

    /// Removes messages in small steps, by their numbers; answers how many were there.
    pub(super) async fn remove(&self, numbers: &[i64]) -> Result<u64, QueueError> {
        let mut removed = 0;
        for some in numbers.chunks(MANY) {
            let remove = || {
                let remove = self.sql.remove.query(MANY);
                padded(some).fold(remove, |remove, number| remove.bind(*number))
            };
            let done = call!(self, "remove", connection => remove().execute(connection))?;
            removed += done.rows_affected();
        }
        Ok(removed)
    }

    async fn purge_ordered(&self, queue: &QueueRecord) -> Result<(), QueueError> {
        let mut last = String::new();
        loop {
            let after = || self.sql.groups_after.query().bind(queue.id).bind(last.as_bytes()).bind(GROUPS);
            let found = call!(self, "purge", connection => after().fetch_all(connection))?;
            let groups: Result<Vec<String>, _> = found.iter().map(|row| rows::text(row, 0)).collect();
            let groups = groups.map_err(|error| unreadable("purge", error))?;
            let Some(group) = groups.last() else { break };
            while call!(self, "purge", connection => self.purge_groups(connection, queue.id, &groups))? {}
            last.clone_from(group);
        }
        let forget = || self.sql.forget_attempts.query().bind(queue.id);
        call!(self, "purge", connection => forget().execute(connection))?;
        Ok(())
    }

    /// Removes messages of groups, and the groups when they are empty; whether there is more.
    async fn purge_groups(
        &self,
        connection: &mut MySqlConnection,
        queue: QueueId,
        groups: &[String],
    ) -> Result<bool, sqlx::Error> {
        let names: Vec<&str> = groups.iter().map(String::as_str).collect();
        let mut transaction = begin(connection).await?;
        let mut session = Session::new(&mut transaction, &self.sql);
        session.lock(queue, &names.iter().copied().collect()).await?;
        let remove = named(&self.sql.remove_of_groups, queue, names.iter().copied()).bind(STEP);
        let removed = remove.execute(&mut *session.connection).await?.rows_affected();
        session.remove_empty(queue, &names).await?;
        transaction.commit().await?;
        Ok(i64::try_from(removed).is_ok_and(|removed| removed >= STEP))
    }
}

fn depth(row: &MySqlRow) -> Result<Depth, sqlx::Error> {
    let count = |column| rows::count(row, column).map(u64::from);
    let oldest: Option<i64> = row.try_get(3)?;
    Ok(Depth::new(count(0)?, count(1)?, count(2)?).with_oldest(oldest.map(micros::duration)))
}
