//! Settling on ordered queues: with the groups locked, so that it is known when each is ready next (Q8).

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use sqlx::{MySqlConnection, Row};

use super::groups::Heads;
use super::session::{Session, begin};
use super::state::Change;
use super::{MySqlStore, rows};
use crate::store::{Handle, QueueId, QueueRecord, Settled};

/// Looks up each row by itself. From a list of keys the server may make a walk through all messages, with a lock on each; for
/// an update it does so if the list has one key, for a delete if the table is small.
pub(super) const DELETE: &str = "
DELETE m FROM ({SELECT CAST(? AS BINARY) AS group_id, CAST(? AS SIGNED) AS id| UNION ALL }) k
STRAIGHT_JOIN q_ordered_message m FORCE INDEX (PRIMARY) ON m.queue_id = ? AND m.group_id = k.group_id AND m.id = k.id";

pub(super) const SET_VISIBLE: &str = "
UPDATE q_ordered_message FORCE INDEX (PRIMARY) SET visible_us = CASE {WHEN group_id = ? AND id = ? THEN ?| } END
WHERE {(queue_id = ? AND group_id = ? AND id = ?)| OR }";

/// What was moved to the dead-letter queue. It has another id there.
pub(super) const MOVED: &str = "
SELECT group_id, moved_from FROM q_ordered_message FORCE INDEX (PRIMARY)
WHERE (queue_id, group_id) IN ({(?, ?)}) AND moved_from IN ({?})";

/// What settlements came to.
struct Outcome {
    settled: Vec<Settled>,
    /// When each message is visible that was changed or removed, by group and number.
    moves: BTreeMap<(String, i64), i64>,
}

impl MySqlStore {
    pub(super) async fn delete_ordered(
        &self,
        connection: &mut MySqlConnection,
        queue: &QueueRecord,
        handles: &[Handle],
    ) -> Result<Vec<Settled>, sqlx::Error> {
        let mut transaction = begin(connection).await?;
        let mut session = Session::new(&mut transaction, &self.sql);
        let mut heads = session.locked_heads(queue, handles.iter()).await?;
        let outcome = judge(handles.iter(), |handle| delete(&mut heads, handle));
        if !outcome.moves.is_empty() {
            session.delete(queue, &outcome).await?;
            session.reopen(queue, &outcome, &heads).await?;
        }
        let settled = session.tell_moved(queue, handles.iter(), outcome.settled).await?;
        transaction.commit().await?;
        Ok(settled)
    }

    pub(super) async fn change_ordered(
        &self,
        connection: &mut MySqlConnection,
        queue: &QueueRecord,
        (changes, longest): (&[Change], Duration),
    ) -> Result<Vec<Settled>, sqlx::Error> {
        let handles = || changes.iter().map(|(handle, _)| handle);
        let mut transaction = begin(connection).await?;
        let mut session = Session::new(&mut transaction, &self.sql);
        let mut heads = session.locked_heads(queue, handles()).await?;
        let mut each = changes.iter();
        let mut change = || each.next().map_or(Err(Settled::Gone), |one| change(&mut heads, one, longest));
        let outcome = judge(handles(), |_| change());
        if !outcome.moves.is_empty() {
            session.set_visible(queue, &outcome).await?;
            session.reopen(queue, &outcome, &heads).await?;
        }
        let settled = session.tell_moved(queue, handles(), outcome.settled).await?;
        transaction.commit().await?;
        Ok(settled)
    }
}

impl Session<'_> {
    async fn locked_heads<'a>(
        &mut self,
        queue: &QueueRecord,
        handles: impl Iterator<Item = &'a Handle> + Send,
    ) -> Result<Heads, sqlx::Error> {
        let groups: BTreeSet<&str> = handles.map(group).collect();
        self.lock(queue.id, &groups).await?;
        self.heads(queue, groups.iter().copied()).await
    }

    async fn delete(&mut self, queue: &QueueRecord, outcome: &Outcome) -> Result<(), sqlx::Error> {
        let mut delete = self.sql.ordered.delete.query(outcome.moves.len());
        for (group, number) in outcome.moves.keys() {
            delete = delete.bind(group.as_bytes()).bind(*number);
        }
        delete.bind(queue.id).execute(&mut *self.connection).await?;
        Ok(())
    }

    async fn set_visible(&mut self, queue: &QueueRecord, outcome: &Outcome) -> Result<(), sqlx::Error> {
        let mut set = self.sql.ordered.set_visible.query(outcome.moves.len());
        for ((group, number), visible_us) in &outcome.moves {
            set = set.bind(group.as_bytes()).bind(*number).bind(*visible_us);
        }
        for (group, number) in outcome.moves.keys() {
            set = set.bind(queue.id).bind(group.as_bytes()).bind(*number);
        }
        set.execute(&mut *self.connection).await?;
        Ok(())
    }

    /// Says when each group is ready in which something was changed. It was not: something of it was in flight.
    async fn reopen(
        &mut self,
        queue: &QueueRecord,
        outcome: &Outcome,
        heads: &Heads,
    ) -> Result<(), sqlx::Error> {
        let touched: BTreeSet<&str> = outcome.moves.keys().map(|(group, _)| group.as_str()).collect();
        let ready: Vec<_> = touched.into_iter().map(|group| (group, heads.ready_us(group))).collect();
        self.set_ready(queue.id, &ready).await
    }

    /// Tells what was moved to the dead-letter queue from what is gone.
    async fn tell_moved<'a>(
        &mut self,
        queue: &QueueRecord,
        handles: impl Iterator<Item = &'a Handle> + Send + Clone,
        mut settled: Vec<Settled>,
    ) -> Result<Vec<Settled>, sqlx::Error> {
        let is_gone =
            |(handle, settled): (&'a Handle, &Settled)| (*settled == Settled::Gone).then_some(handle);
        let gone: Vec<&Handle> = handles.clone().zip(&settled).filter_map(is_gone).collect();
        let (Some(dead), false) = (queue.settings.dead_letter, gone.is_empty()) else { return Ok(settled) };
        let moved = self.moved(dead.queue, &gone).await?;
        for (handle, settled) in handles.zip(&mut settled) {
            if *settled == Settled::Gone && moved.contains(&(group(handle).to_owned(), handle.number)) {
                *settled = Settled::Moved;
            }
        }
        Ok(settled)
    }

    async fn moved(
        &mut self,
        dead: QueueId,
        handles: &[&Handle],
    ) -> Result<BTreeSet<(String, i64)>, sqlx::Error> {
        let mut read = self.sql.ordered.moved.query(handles.len());
        for handle in handles {
            read = read.bind(dead).bind(group(handle).as_bytes());
        }
        for handle in handles {
            read = read.bind(handle.number);
        }
        let found = read.fetch_all(&mut *self.connection).await?;
        found.iter().map(|row| Ok((rows::text(row, 0)?, row.try_get(1)?))).collect()
    }
}

/// Applies each settlement in turn to what is known of the groups.
fn judge<'a>(
    handles: impl Iterator<Item = &'a Handle>,
    mut apply: impl FnMut(&Handle) -> Result<i64, Settled>,
) -> Outcome {
    let mut outcome = Outcome { settled: Vec::new(), moves: BTreeMap::new() };
    for handle in handles {
        outcome.settled.push(match apply(handle) {
            Ok(visible_us) => {
                outcome.moves.insert((group(handle).to_owned(), handle.number), visible_us);
                Settled::Done
            }
            Err(settled) => settled,
        });
    }
    outcome
}

/// Where a message is among the first of its group. One that was received is always among them, unless it is past its
/// retention.
fn place(heads: &Heads, handle: &Handle) -> Option<usize> {
    heads.by_group.get(group(handle))?.iter().position(|spot| spot.number == handle.number)
}

fn delete(heads: &mut Heads, handle: &Handle) -> Result<i64, Settled> {
    let (now, at) = (heads.now, place(heads, handle).ok_or(Settled::Gone)?);
    let spots = heads.by_group.entry(group(handle).to_owned()).or_default();
    match spots[at].state.judge(handle.receipt, now) {
        Settled::Done => Ok(spots.remove(at).state.visible_us),
        other => Err(other),
    }
}

fn change(heads: &mut Heads, change: &Change, longest: Duration) -> Result<i64, Settled> {
    let handle = &change.0;
    let (now, at) = (heads.now, place(heads, handle).ok_or(Settled::Gone)?);
    let spots = heads.by_group.entry(group(handle).to_owned()).or_default();
    let state = &mut spots[at].state;
    match state.change(change, now, longest) {
        Settled::Done => Ok(state.visible_us),
        other => Err(other),
    }
}

/// Receipts of ordered queues have a group.
fn group(handle: &Handle) -> &str {
    handle.group.as_deref().unwrap_or_default()
}
