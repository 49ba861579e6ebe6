//! Settling: deleting, and changing how long messages are hidden.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Duration;

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::groups::{Turns, tally};
use super::json;
use super::operation::{On, Operation};
use super::receive::uuid;
use super::statements::{Statements, Text};
use crate::micros;
use crate::store::{Handle, QueueId, QueueRecord, Settled};

/// Deletes by receipt: one statement, and a second one only if some were not deleted.
#[derive(Debug)]
pub(super) struct Delete {
    pub(super) queue: QueueRecord,
    pub(super) handles: Vec<Handle>,
}

#[async_trait]
impl Operation for Delete {
    type Answer = Vec<Settled>;

    const WHAT: &'static str = "delete";

    fn is_single(&self) -> bool {
        !self.queue.settings.ordered
    }

    async fn run(&self, mut on: On<'_>) -> Result<Vec<Settled>, sqlx::Error> {
        let texts = Texts::of(&self.queue, on.statements);
        let query = texts.delete.query().bind(self.queue.id).bind(json::handles(&self.handles));
        let done = done(&query.fetch_all(&mut *on.connection).await?)?;
        settled(&mut on, &self.queue, (&self.handles, &done)).await
    }
}

/// Changes how long messages are hidden. Of several changes of one delivery the last goes.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) queue: QueueRecord,
    pub(super) changes: Vec<(Handle, Duration)>,
    pub(super) longest: Duration,
}

#[async_trait]
impl Operation for Change {
    type Answer = Vec<Settled>;

    const WHAT: &'static str = "change visibility";

    fn is_single(&self) -> bool {
        !self.queue.settings.ordered
    }

    async fn run(&self, mut on: On<'_>) -> Result<Vec<Settled>, sqlx::Error> {
        let texts = Texts::of(&self.queue, on.statements);
        let last: HashMap<Key, (&Handle, Duration)> =
            self.changes.iter().map(|(handle, to)| (key(handle), (handle, *to))).collect();
        let query = texts.change.query().bind(self.queue.id).bind(json::changes(last.into_values()));
        let query = query.bind(micros::of(self.longest)).bind(micros::of(self.queue.settings.retention));
        let done = done(&query.fetch_all(&mut *on.connection).await?)?;
        let handles: Vec<_> = self.changes.iter().map(|(handle, _)| handle.clone()).collect();
        settled(&mut on, &self.queue, (&handles, &done)).await
    }
}

/// The statements for a queue's kind.
struct Texts<'a> {
    delete: &'a Text,
    change: &'a Text,
    facts: &'a Text,
}

impl<'a> Texts<'a> {
    fn of(queue: &QueueRecord, statements: &'a Statements) -> Self {
        if queue.settings.ordered {
            let Statements { ordered: texts, .. } = statements;
            return Self { delete: &texts.delete, change: &texts.change, facts: &texts.facts };
        }
        let texts = &statements.standard;
        Self { delete: &texts.delete, change: &texts.change, facts: &texts.facts }
    }
}

/// What tells a delivery from others: the message's number, and the receipt.
type Key = (i64, Uuid);

fn key(handle: &Handle) -> Key {
    (handle.number, handle.receipt)
}

/// The deliveries that a statement settled.
fn done(rows: &[SqliteRow]) -> Result<HashSet<Key>, sqlx::Error> {
    rows.iter().map(|row| Ok((row.try_get(0)?, uuid(row, 1)?))).collect()
}

/// What became of each: done, or why not. The groups of what was done are tallied.
async fn settled(
    on: &mut On<'_>,
    queue: &QueueRecord,
    (handles, done): (&[Handle], &HashSet<Key>),
) -> Result<Vec<Settled>, sqlx::Error> {
    let (settled, left): (Vec<_>, Vec<_>) = handles.iter().partition(|handle| done.contains(&key(handle)));
    let groups: BTreeSet<&str> = settled.iter().filter_map(|handle| handle.group.as_deref()).collect();
    if !groups.is_empty() {
        tally(on, queue.id, groups, Turns::Keep).await?;
    }
    let facts = if left.is_empty() { HashMap::new() } else { facts(on, queue, &left).await? };
    let answer = |handle: &Handle| {
        if done.contains(&key(handle)) {
            return Settled::Done;
        }
        facts.get(&handle.number).map_or(Settled::Gone, |facts| facts.reason(queue, handle))
    };
    Ok(handles.iter().map(answer).collect())
}

/// What is known of a message that was not settled.
struct Facts {
    queue: QueueId,
    receipt: Option<Uuid>,
    hidden_us: i64,
    held_us: i64,
    age_us: i64,
}

impl Facts {
    fn read(row: &SqliteRow) -> Result<(i64, Self), sqlx::Error> {
        let receipt = row.try_get::<Option<&[u8]>, _>(2)?.map(|_| uuid(row, 2)).transpose()?;
        let held_us = row.try_get::<Option<i64>, _>(4)?.unwrap_or(0);
        let (queue, hidden_us, age_us) = (row.try_get(1)?, row.try_get(3)?, row.try_get(5)?);
        Ok((row.try_get(0)?, Self { queue, receipt, hidden_us, held_us, age_us }))
    }

    /// Why it was not settled.
    fn reason(&self, queue: &QueueRecord, handle: &Handle) -> Settled {
        if self.queue != queue.id {
            return Settled::Moved;
        }
        if self.age_us >= micros::of(queue.settings.retention) {
            return Settled::Gone;
        }
        if self.receipt != Some(handle.receipt) {
            return Settled::Superseded;
        }
        if self.hidden_us <= 0 {
            return Settled::Visible;
        }
        Settled::TooLong(micros::duration(self.held_us))
    }
}

async fn facts(
    on: &mut On<'_>,
    queue: &QueueRecord,
    handles: &[&Handle],
) -> Result<HashMap<i64, Facts>, sqlx::Error> {
    let numbers = json::numbers(handles.iter().map(|handle| &handle.number));
    let query = Texts::of(queue, on.statements).facts.query().bind(numbers);
    query.fetch_all(&mut *on.connection).await?.iter().map(Facts::read).collect()
}
