//! Settling on standard queues: one statement if all goes well, another that finds out why if not.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use queue_core::QueueError;
use sqlx::{MySqlConnection, Row};

use super::MySqlStore;
use super::session::begin;
use super::state::{Change, State, state};
use super::text::Series;
use crate::call::call;
use crate::micros;
use crate::store::{Handle, QueueId, QueueRecord, Settled};

/// By the primary key; the pairs are compared then.
pub(super) const DELETE: &str = "
DELETE m FROM q_message m FORCE INDEX (PRIMARY) WHERE m.id IN ({?}) AND (m.id, m.receipt) IN ({(?, ?)})";

pub(super) const CHANGE: &str = "
UPDATE q_message FORCE INDEX (PRIMARY) SET visible_us = :now + CASE {WHEN id = ? THEN ?| } END
WHERE id IN ({?}) AND (id, receipt) IN ({(?, ?)}) AND visible_us > :now
  AND :now - received_us + CASE {WHEN id = ? THEN ?| } END <= ?";

pub(super) const STATES: &str = "
SELECT id, queue_id, visible_us, receipt, received_us, :now FROM q_message FORCE INDEX (PRIMARY) WHERE id IN ({?})";

pub(super) const LOCK_STATES: &str = "
SELECT id, queue_id, visible_us, receipt, received_us, :now FROM q_message FORCE INDEX (PRIMARY) WHERE id IN ({?}) FOR UPDATE";

pub(super) const SET_VISIBLE: &str = "
UPDATE q_message FORCE INDEX (PRIMARY) SET visible_us = CASE {WHEN id = ? THEN ?| } END WHERE id IN ({?})";

/// The messages that are there, by number, and the time at which that was so.
#[derive(Debug, Default)]
struct States {
    now: i64,
    by_number: BTreeMap<i64, (QueueId, State)>,
}

impl States {
    /// The state of a message in this queue; else what became of it.
    fn get(&mut self, number: i64, queue: &QueueRecord) -> Result<&mut State, Settled> {
        match self.by_number.get_mut(&number) {
            None => Err(Settled::Gone),
            Some((at, _)) if *at != queue.id => Err(Settled::Moved),
            Some((_, state)) => Ok(state),
        }
    }
}

impl MySqlStore {
    pub(super) async fn delete_messages(
        &self,
        queue: &QueueRecord,
        handles: &[Handle],
    ) -> Result<Vec<Settled>, QueueError> {
        if queue.settings.ordered {
            return call!(self, "delete", connection => self.delete_ordered(connection, queue, handles));
        }
        let deleted = call!(self, "delete", connection => self.delete(connection, handles))?;
        if deleted == distinct(handles.iter()) {
            return Ok(vec![Settled::Done; handles.len()]);
        }
        let mut states =
            call!(self, "delete", connection => self.states(connection, &self.sql.states, handles))?;
        // What is gone was deleted now or before: that is the same to whoever asks (P36).
        let judge = |handle: &Handle| match states.get(handle.number, queue) {
            Ok(state) if state.receipt == Some(handle.receipt) => Settled::Visible,
            Ok(_) => Settled::Superseded,
            Err(settled) => settled,
        };
        Ok(handles.iter().map(judge).collect())
    }

    async fn delete(&self, connection: &mut MySqlConnection, handles: &[Handle]) -> Result<u64, sqlx::Error> {
        let mut delete = self.sql.delete.query(handles.len());
        for handle in handles {
            delete = delete.bind(handle.number);
        }
        for handle in handles {
            delete = delete.bind(handle.number).bind(&handle.receipt.as_bytes()[..]);
        }
        Ok(delete.execute(connection).await?.rows_affected())
    }

    /// Renewals and single changes are one statement. A batch in which something is released is a transaction: somebody else
    /// may have received that before it could be asked what was done.
    pub(super) async fn change_messages(
        &self,
        queue: &QueueRecord,
        changes: &[Change],
        longest: Duration,
    ) -> Result<Vec<Settled>, QueueError> {
        const WHAT: &str = "change visibility";
        if queue.settings.ordered {
            return call!(self, WHAT, connection => self.change_ordered(connection, queue, (changes, longest)));
        }
        let numbers: BTreeSet<i64> = changes.iter().map(|(handle, _)| handle.number).collect();
        let releases = changes.iter().any(|(_, visibility)| visibility.is_zero());
        if numbers.len() < changes.len() || (releases && changes.len() > 1) {
            return call!(self, WHAT, connection => self.change_singly(connection, queue, (changes, longest)));
        }
        let done = call!(self, WHAT, connection => self.change(connection, changes, longest))?;
        if done == changes.len() as u64 {
            return Ok(vec![Settled::Done; changes.len()]);
        }
        let handles: Vec<Handle> = changes.iter().map(|(handle, _)| handle.clone()).collect();
        let states = call!(self, WHAT, connection => self.states(connection, &self.sql.states, &handles))?;
        Ok(judge(states, queue, changes, longest).0)
    }

    async fn change(
        &self,
        connection: &mut MySqlConnection,
        changes: &[Change],
        longest: Duration,
    ) -> Result<u64, sqlx::Error> {
        let mut change = self.sql.change.query(changes.len());
        for (handle, visibility) in changes {
            change = change.bind(handle.number).bind(micros::of(*visibility));
        }
        for (handle, _) in changes {
            change = change.bind(handle.number);
        }
        for (handle, _) in changes {
            change = change.bind(handle.number).bind(&handle.receipt.as_bytes()[..]);
        }
        for (handle, visibility) in changes {
            change = change.bind(handle.number).bind(micros::of(*visibility));
        }
        Ok(change.bind(micros::of(longest)).execute(connection).await?.rows_affected())
    }

    /// Locks the messages, judges each change in turn, and stores what results.
    async fn change_singly(
        &self,
        connection: &mut MySqlConnection,
        queue: &QueueRecord,
        (changes, longest): (&[Change], Duration),
    ) -> Result<Vec<Settled>, sqlx::Error> {
        let mut transaction = begin(connection).await?;
        let handles: Vec<Handle> = changes.iter().map(|(handle, _)| handle.clone()).collect();
        let states = self.states(&mut transaction, &self.sql.lock_states, &handles).await?;
        let (settled, moves) = judge(states, queue, changes, longest);
        if !moves.is_empty() {
            let mut set = self.sql.set_visible.query(moves.len());
            for (number, visible_us) in &moves {
                set = set.bind(*number).bind(*visible_us);
            }
            for number in moves.keys() {
                set = set.bind(*number);
            }
            set.execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(settled)
    }

    async fn states(
        &self,
        connection: &mut MySqlConnection,
        series: &Series,
        handles: &[Handle],
    ) -> Result<States, sqlx::Error> {
        let mut read = series.query(handles.len());
        for handle in handles {
            read = read.bind(handle.number);
        }
        let mut states = States::default();
        for row in read.fetch_all(connection).await? {
            states.now = row.try_get(5)?;
            states.by_number.insert(row.try_get(0)?, (row.try_get(1)?, state(&row, 2)?));
        }
        Ok(states)
    }
}

/// What becomes of each change in turn, and when each message that was changed is visible.
fn judge(
    mut states: States,
    queue: &QueueRecord,
    changes: &[Change],
    longest: Duration,
) -> (Vec<Settled>, BTreeMap<i64, i64>) {
    let (now, mut moves) = (states.now, BTreeMap::new());
    let judge = |change: &Change| {
        let number = change.0.number;
        let state = match states.get(number, queue) {
            Ok(state) => state,
            Err(settled) => return settled,
        };
        let settled = state.change(change, now, longest);
        if settled == Settled::Done {
            moves.insert(number, state.visible_us);
        }
        settled
    };
    (changes.iter().map(judge).collect(), moves)
}

/// How many deliveries are named. One that is named twice is no fault.
pub(super) fn distinct<'a>(handles: impl Iterator<Item = &'a Handle>) -> u64 {
    handles.map(|handle| (handle.number, handle.receipt)).collect::<BTreeSet<_>>().len() as u64
}
