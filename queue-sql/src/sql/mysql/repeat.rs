//! Repeating a receive whose answer was lost (Q8).

use std::collections::{BTreeMap, BTreeSet};

use sqlx::Row;
use sqlx::mysql::MySqlRow;
use uuid::Uuid;

use super::errors::is_duplicate;
use super::look::{Found, found};
use super::rows;
use super::session::Session;
use crate::micros;
use crate::store::{QueueId, QueueRecord, Received, Taken, Wanted};

/// How long an attempt can be repeated, counted from the first (`ReceiveRequestAttemptId` of `ReceiveMessage` in the Amazon
/// SQS API reference).
const LIFETIME_US: i64 = 5 * 60 * 1_000_000;

/// Enters an attempt that took nothing yet. Another receive under the same id waits here until this one is done.
pub(super) const CLAIM: &str = "
INSERT INTO q_attempt (queue_id, attempt_id, receipt, visible_us, messages, expires_us) VALUES (?, ?, ?, 0, '[]', 0)";

pub(super) const ATTEMPT: &str = "
SELECT receipt, visible_us, messages, expires_us > :now FROM q_attempt FORCE INDEX (PRIMARY)
WHERE queue_id = ? AND attempt_id = ? FOR UPDATE";

pub(super) const BROUGHT: &str = "
SELECT id, group_id, visible_us, receipt, received_us, sent_us, :now, receive_count, message_id, attributes, body
FROM q_ordered_message FORCE INDEX (PRIMARY)
WHERE {(queue_id = ? AND group_id = ? AND id = ?)| OR }";

/// Hides what is delivered again; the rest is visible.
pub(super) const HIDE_AGAIN: &str = "
UPDATE q_ordered_message FORCE INDEX (PRIMARY) SET received_us = ?, visible_us = ?
WHERE {(queue_id = ? AND group_id = ? AND id = ?)| OR }";

pub(super) const SHORTEN: &str = "
UPDATE q_attempt FORCE INDEX (PRIMARY) SET visible_us = ?, messages = ? WHERE queue_id = ? AND attempt_id = ?";

pub(super) const FORGET: &str = "
DELETE a FROM q_attempt a FORCE INDEX (PRIMARY) WHERE a.queue_id = ? AND a.attempt_id = ?";

pub(super) const NOTE: &str = "
UPDATE q_attempt FORCE INDEX (PRIMARY) SET receipt = ?, visible_us = ?, messages = ?, expires_us = :now + ?
WHERE queue_id = ? AND attempt_id = ?";

/// A message by its group and number.
type Place = (String, i64);

/// What an attempt brought, and until when it hid that.
struct Attempt {
    receipt: Uuid,
    visible_us: i64,
    messages: Vec<Place>,
}

impl Session<'_> {
    /// Delivers again what an attempt under this id brought: the same messages in the same order, under the same receipts
    /// and receive counts. `None` if there was none, or if one of its messages was touched since; then the attempt is this
    /// receive's.
    pub(super) async fn repeat(
        &mut self,
        queue: &QueueRecord,
        wanted: &Wanted,
    ) -> Result<Option<Received>, sqlx::Error> {
        let Some(id) = wanted.attempt.as_deref() else { return Ok(None) };
        if self.claim(queue.id, id, wanted).await? {
            return Ok(None);
        }
        let Some(attempt) = self.attempt(queue.id, id).await? else { return Ok(None) };
        let groups: BTreeSet<&str> = attempt.messages.iter().map(|(group, _)| group.as_str()).collect();
        self.lock(queue.id, &groups).await?;
        let (now, mut brought) = self.brought(queue, wanted, &attempt).await?;
        let found = attempt.messages.iter().map_while(|place| brought.remove(place));
        let whole: Vec<Found> = found.filter(|found| attempt.is_untouched(found, now)).collect();
        if whole.len() < attempt.messages.len() {
            return Ok(None);
        }
        self.deliver_again(queue.id, (wanted, now), &whole).await?;
        let again = whole.into_iter().take(wanted.max as usize);
        let again = again.map(|found| Taken { receipt: attempt.receipt, ..found.message });
        Ok(Some(Received { taken: again.collect(), dead: 0 }))
    }

    /// Enters an attempt; `false` if one is there under this id.
    async fn claim(&mut self, queue: QueueId, id: &str, wanted: &Wanted) -> Result<bool, sqlx::Error> {
        let claim = self.sql.attempts.claim.query().bind(queue).bind(id.as_bytes());
        match claim.bind(&wanted.receipt.as_bytes()[..]).execute(&mut *self.connection).await {
            Err(error) if is_duplicate(&error) => Ok(false),
            other => other.map(|_| true),
        }
    }

    /// What an attempt took, if that can be repeated still.
    async fn attempt(&mut self, queue: QueueId, id: &str) -> Result<Option<Attempt>, sqlx::Error> {
        let read = self.sql.attempts.find.query().bind(queue).bind(id.as_bytes());
        let Some(row) = read.fetch_optional(&mut *self.connection).await? else { return Ok(None) };
        let (attempt, is_young) = (attempt(&row)?, row.try_get::<i64, _>(3)? != 0);
        Ok(Some(attempt).filter(|attempt| is_young && !attempt.messages.is_empty()))
    }

    async fn brought(
        &mut self,
        queue: &QueueRecord,
        wanted: &Wanted,
        attempt: &Attempt,
    ) -> Result<(i64, BTreeMap<Place, Found>), sqlx::Error> {
        let mut read = self.sql.attempts.brought.query(attempt.messages.len());
        for (group, number) in &attempt.messages {
            read = read.bind(queue.id).bind(group.as_bytes()).bind(number);
        }
        let (mut now, mut brought) = (0, BTreeMap::new());
        for row in read.fetch_all(&mut *self.connection).await? {
            now = row.try_get(6)?;
            brought.insert((rows::text(&row, 1)?, row.try_get(0)?), found(&row, queue, wanted)?);
        }
        Ok((now, brought))
    }

    /// Hides the first of the attempt's messages, as many as are wanted, from now on; the rest is visible again and leaves
    /// the attempt.
    async fn deliver_again(
        &mut self,
        queue: QueueId,
        (wanted, now): (&Wanted, i64),
        brought: &[Found],
    ) -> Result<(), sqlx::Error> {
        let (again, rest) = brought.split_at((wanted.max as usize).min(brought.len()));
        let until = now + micros::of(wanted.visibility);
        self.hide_again(queue, again, (now, until)).await?;
        self.hide_again(queue, rest, (now, now)).await?;
        let mut ready: BTreeMap<&str, i64> = rest.iter().map(|found| (found.group(), now)).collect();
        for found in again {
            let ready_us = ready.entry(found.group()).or_insert(now);
            *ready_us = until.min(found.spot.ends_us).max(*ready_us);
        }
        let ready: Vec<_> = ready.into_iter().map(|(group, ready_us)| (group, Some(ready_us))).collect();
        self.set_ready(queue, &ready).await?;
        let again: Vec<&Taken> = again.iter().map(|found| &found.message).collect();
        self.note_repeat(queue, wanted, (&again, until)).await
    }

    /// What is repeated can be repeated again, for as long as the first time was noted for.
    async fn note_repeat(
        &mut self,
        queue: QueueId,
        wanted: &Wanted,
        (taken, until): (&[&Taken], i64),
    ) -> Result<(), sqlx::Error> {
        if wanted.visibility.is_zero() {
            return self.forget_attempt(queue, wanted).await;
        }
        let places: Vec<Place> = taken.iter().map(|message| place(message)).collect();
        let shorten = self.sql.attempts.shorten.query().bind(until).bind(written(&places)).bind(queue);
        shorten.bind(attempt_id(wanted)).execute(&mut *self.connection).await?;
        Ok(())
    }

    async fn hide_again(
        &mut self,
        queue: QueueId,
        messages: &[Found],
        (received_us, visible_us): (i64, i64),
    ) -> Result<(), sqlx::Error> {
        if messages.is_empty() {
            return Ok(());
        }
        let mut hide = self.sql.attempts.hide_again.query(messages.len()).bind(received_us).bind(visible_us);
        for found in messages {
            hide = hide.bind(queue).bind(found.group().as_bytes()).bind(found.spot.number);
        }
        hide.execute(&mut *self.connection).await?;
        Ok(())
    }

    /// Notes what is delivered under an attempt id. With no time to repeat it there is nothing to note.
    pub(super) async fn note_attempt(
        &mut self,
        queue: QueueId,
        wanted: &Wanted,
        (taken, until): (&[Taken], i64),
    ) -> Result<(), sqlx::Error> {
        if wanted.attempt.is_none() {
            return Ok(());
        }
        if wanted.visibility.is_zero() || taken.is_empty() {
            return self.forget_attempt(queue, wanted).await;
        }
        let places: Vec<Place> = taken.iter().map(place).collect();
        let note = self.sql.attempts.note.query().bind(&wanted.receipt.as_bytes()[..]).bind(until);
        let note = note.bind(written(&places)).bind(LIFETIME_US).bind(queue).bind(attempt_id(wanted));
        note.execute(&mut *self.connection).await?;
        Ok(())
    }

    async fn forget_attempt(&mut self, queue: QueueId, wanted: &Wanted) -> Result<(), sqlx::Error> {
        let forget = self.sql.attempts.forget.query().bind(queue).bind(attempt_id(wanted));
        forget.execute(&mut *self.connection).await?;
        Ok(())
    }
}

impl Attempt {
    /// Whether a message is in flight still as the attempt left it.
    fn is_untouched(&self, found: &Found, now: i64) -> bool {
        let (spot, state) = (&found.spot, &found.spot.state);
        state.receipt == Some(self.receipt)
            && state.visible_us == self.visible_us
            && state.visible_us.min(spot.ends_us) > now
    }
}

fn attempt(row: &MySqlRow) -> Result<Attempt, sqlx::Error> {
    let messages: &[u8] = row.try_get(2)?;
    let messages = serde_json::from_slice(messages).map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(Attempt { receipt: rows::id(row, 0)?, visible_us: row.try_get(1)?, messages })
}

fn attempt_id(wanted: &Wanted) -> &[u8] {
    wanted.attempt.as_deref().unwrap_or_default().as_bytes()
}

fn place(message: &Taken) -> Place {
    (message.group.clone().unwrap_or_default(), message.number)
}

/// Text and numbers can always be written.
fn written(messages: &[Place]) -> Vec<u8> {
    serde_json::to_vec(messages).unwrap_or_default()
}
