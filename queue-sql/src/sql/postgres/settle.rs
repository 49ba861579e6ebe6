//! Settling: deleting by receipt, and changing the visibility.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use queue_core::QueueError;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};
use uuid::Uuid;

use super::PgStore;
use super::mode::{Statement, begin};
use crate::call::call;
use crate::micros;
use crate::store::{Handle, QueueRecord, Settled};

/// Numbers and receipts belong together: one receive gives all its messages one receipt. A message with that receipt is in the
/// queue that it was received from; a condition that says so would lead planners to the queue's index. The limit never cuts: it
/// keeps planners from expecting many rows.
///
/// They are locked in order first, whatever the plan: so two batches about the same messages don't deadlock.
pub(super) const DELETE: &str = "
WITH held AS MATERIALIZED (
  SELECT m.id FROM (
    SELECT * FROM unnest($1::bigint[], $2::uuid[]) AS x (id, receipt) LIMIT cardinality($1)) AS x
  JOIN q_message AS m ON m.id = x.id AND m.receipt = x.receipt
  ORDER BY m.id FOR UPDATE OF m)
DELETE FROM q_message AS m USING held WHERE m.id = held.id
RETURNING m.id, m.receipt";

pub(super) const CHANGE: &str = "
WITH held AS MATERIALIZED (
  SELECT m.id, x.hidden FROM (
    SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::bigint[]) AS x (id, receipt, hidden)
    LIMIT cardinality($1)) AS x
  JOIN q_message AS m ON m.id = x.id AND m.receipt = x.receipt
  WHERE m.visible_at > clock_timestamp()
    AND m.received_at + ($4 - x.hidden) * interval '1 microsecond' >= clock_timestamp()
  ORDER BY m.id FOR UPDATE OF m)
UPDATE q_message AS m SET visible_at = clock_timestamp() + held.hidden * interval '1 microsecond'
FROM held WHERE m.id = held.id
RETURNING m.id, m.receipt";

/// What became of messages that were not settled.
pub(super) const STATE: &str = "
SELECT id, CASE WHEN queue_id = $1 THEN receipt END, queue_id <> $1, visible_at <= clock_timestamp(),
  (extract(epoch FROM clock_timestamp() - received_at) * 1000000)::bigint
FROM q_message WHERE id = ANY ($2)";

/// An ordered queue refuses to delete what is visible (P1). The group's lock is held. The limit, which never cuts, keeps
/// planners from expecting many rows, and the queue as a column from looking for all messages of the queue.
pub(super) const DELETE_ORDERED: &str = "
DELETE FROM q_ordered_message AS m USING (
  SELECT $1::bigint AS queue_id, * FROM unnest($2::text[], $3::bigint[], $4::uuid[]) AS x (group_id, id, receipt)
  LIMIT cardinality($3)) AS x
WHERE m.queue_id = x.queue_id AND m.group_id = x.group_id AND m.id = x.id AND m.receipt = x.receipt AND m.visible_at > clock_timestamp()
RETURNING m.id, m.receipt";

pub(super) const CHANGE_ORDERED: &str = "
UPDATE q_ordered_message AS m SET visible_at = clock_timestamp() + x.hidden * interval '1 microsecond'
FROM (
  SELECT $1::bigint AS queue_id, *
  FROM unnest($2::text[], $3::bigint[], $4::uuid[], $5::bigint[]) AS x (group_id, id, receipt, hidden)
  LIMIT cardinality($3)) AS x
WHERE m.queue_id = x.queue_id AND m.group_id = x.group_id AND m.id = x.id AND m.receipt = x.receipt AND m.visible_at > clock_timestamp()
  AND m.received_at + ($6 - x.hidden) * interval '1 microsecond' >= clock_timestamp()
RETURNING m.id, m.receipt";

/// A message that was moved has another number in the dead-letter queue.
pub(super) const STATE_ORDERED: &str = "
SELECT x.id, m.receipt, m.id IS NULL, m.visible_at <= clock_timestamp(),
  (extract(epoch FROM clock_timestamp() - m.received_at) * 1000000)::bigint
FROM unnest($2::text[], $3::bigint[]) AS x (group_id, id)
LEFT JOIN q_ordered_message AS m ON m.queue_id = $1 AND m.group_id = x.group_id AND m.id = x.id
WHERE m.id IS NOT NULL OR EXISTS (
  SELECT FROM q_ordered_message AS d WHERE d.queue_id = $4 AND d.group_id = x.group_id AND d.moved_from = x.id)";

/// What is to be done with each message; deleting has no durations.
struct Settlement<'a> {
    handles: Vec<&'a Handle>,
    hidden: Option<(Vec<i64>, Duration)>,
}

impl<'a> Settlement<'a> {
    /// Of several about one delivery the last one counts.
    fn new(entries: impl Iterator<Item = (&'a Handle, Duration)>, longest: Option<Duration>) -> Self {
        let by_delivery: HashMap<_, _> =
            entries.map(|entry| ((entry.0.number, entry.0.receipt), entry)).collect();
        let (handles, hidden): (_, Vec<_>) = by_delivery.into_values().unzip();
        let hidden = longest.map(|longest| (hidden.into_iter().map(micros::of).collect(), longest));
        Self { handles, hidden }
    }

    fn numbers(&self) -> Vec<i64> {
        self.handles.iter().map(|handle| handle.number).collect()
    }

    fn groups(&self) -> Vec<String> {
        self.handles.iter().map(|handle| handle.group.as_deref().unwrap_or_default().to_owned()).collect()
    }

    /// The statement that does it, up to the numbers.
    fn bind(&self, query: Statement) -> Statement {
        let receipts: Vec<_> = self.handles.iter().map(|handle| handle.receipt).collect();
        let query = query.bind(self.numbers()).bind(receipts);
        match &self.hidden {
            Some((hidden, longest)) => query.bind(hidden.clone()).bind(micros::of(*longest)),
            None => query,
        }
    }
}

impl PgStore {
    pub(super) async fn delete_all(
        &self,
        queue: &QueueRecord,
        handles: &[Handle],
    ) -> Result<Vec<Settled>, QueueError> {
        let settlement = Settlement::new(handles.iter().map(|handle| (handle, Duration::ZERO)), None);
        self.settle(queue, handles.iter(), ("delete", &settlement)).await
    }

    pub(super) async fn change_all(
        &self,
        queue: &QueueRecord,
        changes: &[(Handle, Duration)],
        longest: Duration,
    ) -> Result<Vec<Settled>, QueueError> {
        let entries = changes.iter().map(|(handle, hidden)| (handle, *hidden));
        let settlement = Settlement::new(entries, Some(longest));
        let handles = changes.iter().map(|(handle, _)| handle);
        self.settle(queue, handles, ("change visibility", &settlement)).await
    }

    async fn settle<'a>(
        &self,
        queue: &QueueRecord,
        handles: impl Iterator<Item = &'a Handle>,
        (what, settlement): (&'static str, &Settlement<'_>),
    ) -> Result<Vec<Settled>, QueueError> {
        let outcome = if queue.settings.ordered {
            call!(self, what, connection => self.settle_ordered(connection, queue, settlement))?
        } else {
            call!(self, what, connection => self.settle_standard(connection, queue, settlement))?
        };
        Ok(handles.map(|handle| outcome.of(handle)).collect())
    }

    /// One statement; another one only to find out why some messages were not settled.
    async fn settle_standard(
        &self,
        connection: &mut PgConnection,
        queue: &QueueRecord,
        settlement: &Settlement<'_>,
    ) -> Result<Outcome, sqlx::Error> {
        let sql = if settlement.hidden.is_some() { &self.sql.change } else { &self.sql.delete };
        let statement = settlement.bind(self.mode.query(sql));
        let done = self.mode.rows(connection, statement).await?;
        let mut states = Vec::new();
        if done.len() < settlement.handles.len() {
            let state = self.mode.query(&self.sql.state).bind(queue.id).bind(settlement.numbers());
            states = self.mode.rows(connection, state).await?;
        }
        Outcome::read(&done, &states)
    }

    async fn settle_ordered(
        &self,
        connection: &mut PgConnection,
        queue: &QueueRecord,
        settlement: &Settlement<'_>,
    ) -> Result<Outcome, sqlx::Error> {
        let (sql, groups) = (&self.sql.groups, settlement.groups());
        let change = if settlement.hidden.is_some() { &sql.change } else { &sql.delete };
        let mut transaction = begin(connection).await?;
        self.lock_groups(&mut transaction, queue.id, &groups).await?;
        let statement = settlement.bind(self.mode.query(change).bind(queue.id).bind(groups.clone()));
        let done = statement.fetch_all(&mut *transaction).await?;
        let mut states = Vec::new();
        if done.len() < settlement.handles.len() {
            let state = self.mode.once(&sql.state).bind(queue.id).bind(groups.clone());
            let state =
                state.bind(settlement.numbers()).bind(queue.settings.dead_letter.map(|dead| dead.queue));
            states = state.fetch_all(&mut *transaction).await?;
        }
        self.settle_groups(&mut transaction, queue, &groups).await?;
        transaction.commit().await?;
        Outcome::read(&done, &states)
    }
}

/// What became of each message.
struct Outcome {
    done: HashSet<(i64, Uuid)>,
    states: HashMap<i64, State>,
}

struct State {
    receipt: Option<Uuid>,
    moved: bool,
    visible: bool,
    held: Duration,
}

impl Outcome {
    fn read(done: &[PgRow], states: &[PgRow]) -> Result<Self, sqlx::Error> {
        let done = done.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
        let state = |row: &PgRow| {
            let held = row.try_get::<Option<i64>, _>(4)?.map_or(Duration::ZERO, micros::duration);
            let visible = row.try_get::<Option<bool>, _>(3)?.unwrap_or(false);
            Ok((row.try_get(0)?, State { receipt: row.try_get(1)?, moved: row.try_get(2)?, visible, held }))
        };
        let states = states.iter().map(state).collect::<Result<_, sqlx::Error>>()?;
        Ok(Self { done: done.collect::<Result<_, sqlx::Error>>()?, states })
    }

    fn of(&self, handle: &Handle) -> Settled {
        if self.done.contains(&(handle.number, handle.receipt)) {
            return Settled::Done;
        }
        match self.states.get(&handle.number) {
            None => Settled::Gone,
            Some(state) if state.moved => Settled::Moved,
            Some(state) if state.receipt != Some(handle.receipt) => Settled::Superseded,
            Some(state) if state.visible => Settled::Visible,
            Some(state) => Settled::TooLong(state.held),
        }
    }
}
