//! Publishing to ordered queues: groups first, then what is a duplicate, then the messages.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::ends::Entered;
use super::rows;
use super::session::Session;
use crate::micros;
use crate::store::{Letter, QueueRecord};

/// How long a message is known again, counted from the first (Amazon SQS Developer Guide, "Amazon SQS FIFO queue key
/// terms").
const WINDOW_US: i64 = 5 * 60 * 1_000_000;

/// Enters each identity, or leaves the one that is there: which of the two, only reading it back can tell, as the count of
/// rows is the same. `message_id` comes first: what follows sees its new value.
pub(super) const DEDUPLICATE: &str = "
INSERT INTO q_deduplication (queue_id, identity, message_id, expires_us) VALUES {(?, ?, ?, :now + ?)}
ON DUPLICATE KEY UPDATE message_id = IF(expires_us <= :now, VALUES(message_id), message_id),
  expires_us = IF(expires_us <= :now, VALUES(expires_us), expires_us)";

/// Locks, so that it sees what is committed also in a caller's transaction of a stricter level.
pub(super) const FIRSTS: &str = "
SELECT identity, message_id FROM q_deduplication FORCE INDEX (PRIMARY) WHERE queue_id = ? AND identity IN ({?}) FOR UPDATE";

pub(super) const STORE: &str = "
INSERT INTO q_ordered_message (id, queue_id, group_id, visible_us, sent_us, message_id, attributes, body)
VALUES {(?, ?, ?, :now + ?, :now, ?, ?, ?)}";

impl Session<'_> {
    /// Stores what is no duplicate, and answers the id of each letter or of the one that it is a duplicate of.
    ///
    /// The rows of the groups are locked first and until the transaction ends: senders to one group take turns, so that its
    /// ids are in the order of the commits. Locks are taken in the order of the names throughout.
    pub(super) async fn publish_ordered(
        &mut self,
        queue: &QueueRecord,
        letters: &[Letter],
    ) -> Result<Vec<Uuid>, sqlx::Error> {
        let groups: BTreeSet<&str> = letters.iter().map(group).collect();
        let mut entered = self.enter(queue.id, &groups).await?;
        let firsts = self.firsts(queue, letters).await?;
        let is_first =
            |letter: &&Letter| identity(letter).is_none_or(|id| firsts.get(id) == Some(&letter.id));
        let fresh: Vec<&Letter> = letters.iter().filter(is_first).collect();
        if !fresh.is_empty() {
            self.store(queue, &fresh, &mut entered).await?;
        }
        self.leave(queue.id, entered).await?;
        let first =
            |letter: &Letter| identity(letter).and_then(|id| firsts.get(id)).unwrap_or(&letter.id).to_owned();
        Ok(letters.iter().map(first).collect())
    }

    /// The message of each identity that was or is now published first.
    async fn firsts(
        &mut self,
        queue: &QueueRecord,
        letters: &[Letter],
    ) -> Result<BTreeMap<String, Uuid>, sqlx::Error> {
        let mut own = BTreeMap::new();
        for letter in letters {
            if let Some(identity) = identity(letter) {
                own.entry(identity).or_insert(letter.id);
            }
        }
        if own.is_empty() {
            return Ok(BTreeMap::new());
        }
        let mut enter = self.sql.deduplicate.query(own.len());
        for (identity, id) in &own {
            enter = enter.bind(queue.id).bind(identity.as_bytes()).bind(&id.as_bytes()[..]).bind(WINDOW_US);
        }
        enter.execute(&mut *self.connection).await?;
        let mut read = self.sql.firsts.query(own.len()).bind(queue.id);
        for identity in own.keys() {
            read = read.bind(identity.as_bytes());
        }
        let found = read.fetch_all(&mut *self.connection).await?;
        found.iter().map(|row| Ok((rows::text(row, 0)?, rows::id(row, 1)?))).collect()
    }

    /// Stores letters at the ends of their groups.
    async fn store(
        &mut self,
        queue: &QueueRecord,
        letters: &[&Letter],
        entered: &mut Entered,
    ) -> Result<(), sqlx::Error> {
        let mut insert = self.sql.store.query(letters.len());
        for letter in letters {
            let delay = micros::of(letter.delay);
            insert = insert
                .bind(entered.add(group(letter), delay))
                .bind(queue.id)
                .bind(group(letter).as_bytes())
                .bind(delay)
                .bind(&letter.id.as_bytes()[..])
                .bind(letter.attributes.as_deref().map(str::as_bytes))
                .bind(letter.body.as_bytes());
        }
        insert.execute(&mut *self.connection).await?;
        Ok(())
    }
}

/// An ordered queue refuses messages without a group before they get here.
fn group(letter: &Letter) -> &str {
    letter.group.as_deref().unwrap_or_default()
}

fn identity(letter: &Letter) -> Option<&str> {
    letter.identity.as_deref()
}
