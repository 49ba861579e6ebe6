//! Receiving from standard queues, and what ordered ones have in common with it.

use queue_core::QueueError;
use sqlx::mysql::MySqlRow;
use sqlx::{MySqlConnection, Row};

use super::session::{Session, begin};
use super::{MySqlStore, rows};
use crate::call::call;
use crate::micros;
use crate::store::{DeadLetter, QueueRecord, Received, Taken, Wanted};

/// How often one transaction looks again because all that it found was to be moved.
pub(super) const ROUNDS: usize = 20;

/// How many of those that have been visible longest are looked at for some that nobody else has locked: enough for twenty
/// receives at once. One that finds nothing there looks at more.
pub(super) const WINDOWS: [i64; 2] = [200, 5_000];

/// Reads the index without a lock and locks rows by the primary key, over those that others have locked. Locking the index as
/// it is read would lock the entry behind the last as well: the first message of another queue, which would be passed over
/// there. The server is told the indexes and the order: with few rows it would sort the table instead, and lock all of it (P73).
pub(super) const READY: &str = "
SELECT m.id, m.message_id, m.receive_count, m.sent_us, m.group_id, m.attributes, m.body, m.visible_us
FROM (SELECT id FROM q_message FORCE INDEX (q_message_ready)
  WHERE queue_id = ? AND visible_us <= :now ORDER BY visible_us, id LIMIT ?) c
STRAIGHT_JOIN q_message m FORCE INDEX (PRIMARY) ON m.id = c.id
WHERE m.queue_id = ? AND m.visible_us <= :now AND m.sent_us > :now - ?
LIMIT ? FOR UPDATE SKIP LOCKED";

pub(super) const TAKE: &str = "
UPDATE q_message FORCE INDEX (PRIMARY)
SET receipt = ?, receive_count = receive_count + 1, received_us = :now, visible_us = :now + ?
WHERE id IN ({?})";

pub(super) const GIVE_UP: &str = "
UPDATE q_message FORCE INDEX (PRIMARY)
SET queue_id = ?, visible_us = :now, receive_count = 0, receipt = NULL, received_us = NULL
WHERE id IN ({?})";

impl MySqlStore {
    /// Receives; again if all it found was moved, as there may be more behind that.
    pub(super) async fn receive_messages(
        &self,
        queue: &QueueRecord,
        wanted: &Wanted,
    ) -> Result<Received, QueueError> {
        let mut dead = 0;
        loop {
            let received = if queue.settings.ordered {
                call!(self, "receive", connection => self.receive_ordered(connection, queue, wanted))?
            } else {
                call!(self, "receive", connection => self.receive_standard(connection, queue, wanted))?
            };
            dead += received.dead;
            if !received.taken.is_empty() || received.dead == 0 {
                return Ok(Received { dead, ..received });
            }
        }
    }

    /// Locks what is ready, moves what was received too often, and hides the rest, all at once at the end: what is hidden for
    /// no time at all is not found twice.
    async fn receive_standard(
        &self,
        connection: &mut MySqlConnection,
        queue: &QueueRecord,
        wanted: &Wanted,
    ) -> Result<Received, sqlx::Error> {
        let mut transaction = begin(connection).await?;
        let mut session = Session::new(&mut transaction, &self.sql);
        let mut received = Received::default();
        for _ in 0..ROUNDS {
            let found = session.ready(queue, wanted).await?;
            let is_full = found.len() >= wanted.max as usize;
            let (exhausted, sound) = part(found, queue.settings.dead_letter);
            received.taken = sound;
            let (Some(dead), false) = (queue.settings.dead_letter, exhausted.is_empty()) else { break };
            received.dead += exhausted.len() as u64;
            session.give_up(dead, &exhausted).await?;
            if !is_full {
                break;
            }
        }
        if received.taken.is_empty() && received.dead == 0 {
            return Ok(received);
        }
        session.hide(&mut received.taken, wanted).await?;
        transaction.commit().await?;
        Ok(received)
    }
}

impl Session<'_> {
    async fn ready(&mut self, queue: &QueueRecord, wanted: &Wanted) -> Result<Vec<Taken>, sqlx::Error> {
        let retention = micros::of(queue.settings.retention);
        for window in WINDOWS {
            let ready = self.sql.ready.query().bind(queue.id).bind(window).bind(queue.id).bind(retention);
            let found = ready.bind(wanted.max).fetch_all(&mut *self.connection).await?;
            if !found.is_empty() {
                return in_order(&found, wanted);
            }
        }
        Ok(Vec::new())
    }

    async fn give_up(&mut self, dead: DeadLetter, exhausted: &[Taken]) -> Result<(), sqlx::Error> {
        let mut update = self.sql.give_up.query(exhausted.len()).bind(dead.queue);
        for message in exhausted {
            update = update.bind(message.number);
        }
        update.execute(&mut *self.connection).await?;
        Ok(())
    }

    async fn hide(&mut self, messages: &mut [Taken], wanted: &Wanted) -> Result<(), sqlx::Error> {
        if messages.is_empty() {
            return Ok(());
        }
        let take = self.sql.take.query(messages.len());
        let mut take = take.bind(&wanted.receipt.as_bytes()[..]).bind(micros::of(wanted.visibility));
        for message in &*messages {
            take = take.bind(message.number);
        }
        take.execute(&mut *self.connection).await?;
        for message in messages {
            message.receive_count += 1;
        }
        Ok(())
    }
}

/// Parts messages that were received too often from the others (Q7).
fn part(found: Vec<Taken>, dead_letter: Option<DeadLetter>) -> (Vec<Taken>, Vec<Taken>) {
    let is_exhausted = |message: &Taken| is_exhausted(message.receive_count, dead_letter);
    found.into_iter().partition(is_exhausted)
}

/// Whether a message was received so often that it is moved instead.
pub(super) fn is_exhausted(receive_count: u32, dead_letter: Option<DeadLetter>) -> bool {
    dead_letter.is_some_and(|dead| receive_count >= dead.max_receive_count)
}

/// The messages, those first that have been visible longest.
fn in_order(found: &[MySqlRow], wanted: &Wanted) -> Result<Vec<Taken>, sqlx::Error> {
    let taken = found.iter().map(|row| Ok((row.try_get::<i64, _>(7)?, taken(row, wanted)?)));
    let mut taken = taken.collect::<Result<Vec<_>, sqlx::Error>>()?;
    taken.sort_by_key(|(visible_us, message)| (*visible_us, message.number));
    Ok(taken.into_iter().map(|(_, message)| message).collect())
}

/// A message as it was found: not counted yet.
fn taken(row: &MySqlRow, wanted: &Wanted) -> Result<Taken, sqlx::Error> {
    Ok(Taken {
        number: row.try_get(0)?,
        id: rows::id(row, 1)?,
        receipt: wanted.receipt,
        receive_count: rows::count(row, 2)?,
        sent_us: row.try_get(3)?,
        group: rows::text_or_none(row, 4)?,
        attributes: rows::text_or_none(row, 5)?,
        body: rows::text(row, 6)?,
    })
}
