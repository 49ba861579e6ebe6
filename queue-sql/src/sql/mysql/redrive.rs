//! Redrive: moving messages that are visible to another queue.

use std::collections::BTreeSet;

use queue_core::QueueError;
use sqlx::{MySqlConnection, Row};

use super::session::{Session, begin};
use super::text::{MANY, padded};
use super::{MySqlStore, rows};
use crate::call::call;
use crate::micros;
use crate::store::QueueRecord;

/// How many groups are locked at a time.
const GROUPS: i64 = 10;
/// How many of the messages that have been visible longest are looked at.
const WINDOW: u32 = 1_000;

/// By the primary key, for the reason that [`READY`](super::receive::READY) gives.
pub(super) const VISIBLE: &str = "
SELECT m.id
FROM (SELECT id FROM q_message FORCE INDEX (q_message_ready)
  WHERE queue_id = ? AND visible_us <= :now ORDER BY visible_us, id LIMIT ?) c
STRAIGHT_JOIN q_message m FORCE INDEX (PRIMARY) ON m.id = c.id
WHERE m.queue_id = ? AND m.visible_us <= :now AND m.sent_us > :now - ?
LIMIT ? FOR UPDATE SKIP LOCKED";

pub(super) const MOVE: &str = "
UPDATE q_message FORCE INDEX (PRIMARY)
SET queue_id = ?, visible_us = :now, receive_count = 0, receipt = NULL, received_us = NULL
WHERE id IN ({?})";

/// The groups that are ready, those first that have been for longest.
pub(super) const READY_GROUPS: &str = "
SELECT group_id FROM q_group FORCE INDEX (q_group_ready)
WHERE queue_id = ? AND ready_us > 0 AND ready_us <= :now ORDER BY ready_us, group_id LIMIT ?";

pub(super) const VISIBLE_OF_GROUP: &str = "
SELECT id, visible_us <= :now FROM q_ordered_message FORCE INDEX (PRIMARY)
WHERE queue_id = ? AND group_id = ? AND sent_us > :now - ? ORDER BY id LIMIT ?";

impl MySqlStore {
    pub(super) async fn redrive_messages(
        &self,
        from: &QueueRecord,
        to: &QueueRecord,
        limit: u32,
    ) -> Result<u64, QueueError> {
        if !from.settings.ordered {
            return call!(self, "redrive", connection => self.redrive_standard(connection, (from, to), limit));
        }
        let (mut moved, limit) = (0, u64::from(limit));
        while moved < limit {
            let rest = limit - moved;
            match call!(self, "redrive", connection => self.redrive_groups(connection, (from, to), rest))? {
                0 => break,
                some => moved += some,
            }
        }
        Ok(moved)
    }

    async fn redrive_standard(
        &self,
        connection: &mut MySqlConnection,
        (from, to): (&QueueRecord, &QueueRecord),
        limit: u32,
    ) -> Result<u64, sqlx::Error> {
        let mut transaction = begin(connection).await?;
        let visible = self.sql.redrive.visible.query().bind(from.id).bind(WINDOW.max(limit)).bind(from.id);
        let found = visible
            .bind(micros::of(from.settings.retention))
            .bind(limit)
            .fetch_all(&mut *transaction)
            .await?;
        let numbers = found.iter().map(|row| row.try_get(0)).collect::<Result<Vec<i64>, _>>()?;
        for some in numbers.chunks(MANY) {
            let mut update = self.sql.redrive.move_to.query(MANY).bind(to.id);
            for number in padded(some) {
                update = update.bind(*number);
            }
            update.execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(numbers.len() as u64)
    }

    /// Moves what is visible of some groups. Groups of the target are locked before those that are moved from, as when
    /// messages are moved the other way.
    async fn redrive_groups(
        &self,
        connection: &mut MySqlConnection,
        (from, to): (&QueueRecord, &QueueRecord),
        limit: u64,
    ) -> Result<u64, sqlx::Error> {
        let mut transaction = begin(connection).await?;
        let mut session = Session::new(&mut transaction, &self.sql);
        let groups = session.ready_groups(from).await?;
        if groups.is_empty() {
            return Ok(0);
        }
        let entered = session.enter(to.id, &groups.iter().map(String::as_str).collect()).await?;
        let known = session.lock_known(from.id, &groups).await?;
        let mut moved = Vec::new();
        for group in groups.iter().filter(|group| known.get(*group) == Some(&true)) {
            let rest = limit - moved.len() as u64;
            moved.extend(session.visible_of(from, group, rest).await?);
        }
        session.transfer_into((from.id, to.id), entered, &moved).await?;
        session.settle_rest(from, &moved).await?;
        transaction.commit().await?;
        Ok(moved.len() as u64)
    }
}

impl Session<'_> {
    async fn ready_groups(&mut self, from: &QueueRecord) -> Result<Vec<String>, sqlx::Error> {
        let ready = self.sql.redrive.ready_groups.query().bind(from.id).bind(GROUPS);
        let found = ready.fetch_all(&mut *self.connection).await?;
        found.iter().map(|row| rows::text(row, 0)).collect()
    }

    /// The messages of a group that can be received one after the other, as group and number.
    async fn visible_of(
        &mut self,
        from: &QueueRecord,
        group: &str,
        limit: u64,
    ) -> Result<Vec<(String, i64)>, sqlx::Error> {
        let read = self.sql.redrive.visible_of_group.query().bind(from.id).bind(group.as_bytes());
        let read = read.bind(micros::of(from.settings.retention)).bind(limit);
        let mut visible = Vec::new();
        for row in read.fetch_all(&mut *self.connection).await? {
            if row.try_get::<i64, _>(1)? == 0 {
                break;
            }
            visible.push((group.to_owned(), row.try_get(0)?));
        }
        Ok(visible)
    }

    /// Says when the groups that were moved from are ready next.
    async fn settle_rest(&mut self, from: &QueueRecord, moved: &[(String, i64)]) -> Result<(), sqlx::Error> {
        let groups: BTreeSet<&str> = moved.iter().map(|(group, _)| group.as_str()).collect();
        if groups.is_empty() {
            return Ok(());
        }
        let heads = self.heads(from, groups.iter().copied()).await?;
        let ready: Vec<_> = groups.into_iter().map(|group| (group, heads.ready_us(group))).collect();
        self.set_ready(from.id, &ready).await
    }
}
