//! The groups of ordered queues: whose turn it is, and which messages it gives.

use std::collections::BTreeSet;

use sqlx::Row;

use super::json;
use super::operation::On;
use crate::micros;
use crate::store::{QueueId, QueueRecord};

/// How many rows are looked at at a time.
const CHUNK: usize = 50;

/// What is to be picked of an ordered queue.
#[derive(Debug)]
pub(super) struct Pick {
    pub(super) queue: QueueId,
    pub(super) retention_us: i64,
    pub(super) most: usize,
    /// Those received as often are for the dead-letter queue.
    pub(super) max_receive_count: Option<u32>,
}

/// What was picked, in order.
#[derive(Debug, Default)]
pub(super) struct Picked {
    pub(super) numbers: Vec<i64>,
    pub(super) dead: Vec<i64>,
    /// The groups that were looked at: all of them are to be tallied.
    pub(super) groups: BTreeSet<String>,
}

/// A group that is ready, and its place among them.
struct Ready {
    group: String,
    place: (i64, i64),
}

impl Pick {
    /// Everything of a queue that can be received, no more than `most`.
    pub(super) fn of(queue: &QueueRecord, most: usize) -> Self {
        let retention_us = micros::of(queue.settings.retention);
        Self { queue: queue.id, retention_us, most, max_receive_count: None }
    }

    /// Picks from the group that has been ready for longest what is visible, one after the other; then from the next.
    pub(super) async fn run(&self, on: &mut On<'_>) -> Result<Picked, sqlx::Error> {
        let mut picked = Picked::default();
        let mut after = (i64::MIN, i64::MIN);
        loop {
            let asked = self.missing(&picked);
            let ready = self.ready(on, after, asked).await?;
            let count = ready.len();
            for Ready { group, place } in ready {
                after = place;
                self.pick_from(&group, on, &mut picked).await?;
                picked.groups.insert(group);
                if picked.numbers.len() == self.most {
                    return Ok(picked);
                }
            }
            if count < asked {
                return Ok(picked);
            }
        }
    }

    fn missing(&self, picked: &Picked) -> usize {
        (self.most - picked.numbers.len()).min(CHUNK)
    }

    async fn ready(
        &self,
        on: &mut On<'_>,
        after: (i64, i64),
        most: usize,
    ) -> Result<Vec<Ready>, sqlx::Error> {
        let query = on.statements.ordered.ready.query().bind(self.queue).bind(after.0).bind(after.1);
        let rows = query.bind(limit(most)).fetch_all(&mut *on.connection).await?;
        let read = |row: &sqlx::sqlite::SqliteRow| {
            Ok(Ready { group: row.try_get(0)?, place: (row.try_get(1)?, row.try_get(2)?) })
        };
        rows.iter().map(read).collect()
    }

    async fn pick_from(&self, group: &str, on: &mut On<'_>, picked: &mut Picked) -> Result<(), sqlx::Error> {
        let mut place = 0_i64;
        loop {
            let asked = self.missing(picked);
            let query = on.statements.ordered.heads.query().bind(self.queue).bind(group).bind(place);
            let query = query.bind(self.retention_us).bind(limit(asked));
            let rows = query.fetch_all(&mut *on.connection).await?;
            for row in &rows {
                if !row.try_get::<bool, _>(3)? {
                    return Ok(());
                }
                place = row.try_get(1)?;
                self.sort(row.try_get(0)?, row.try_get(2)?, picked);
            }
            if rows.len() < asked || picked.numbers.len() == self.most {
                return Ok(());
            }
        }
    }

    fn sort(&self, number: i64, receive_count: u32, picked: &mut Picked) {
        let is_exhausted = self.max_receive_count.is_some_and(|most| receive_count >= most);
        let pile = if is_exhausted { &mut picked.dead } else { &mut picked.numbers };
        pile.push(number);
    }
}

/// A number of rows, as a statement takes it.
fn limit(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

/// What happens to the turns of groups that are tallied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turns {
    /// A group that was ready and still is keeps its turn.
    Keep,
    /// They had their turn, and are last from now on.
    Yield,
}

/// Finds out anew from when on groups can be received from, and forgets those that are empty.
pub(super) async fn tally<'a>(
    on: &mut On<'_>,
    queue: QueueId,
    groups: impl IntoIterator<Item = &'a str>,
    turns: Turns,
) -> Result<(), sqlx::Error> {
    let groups = json::texts(groups);
    let query = on.statements.ordered.tally.query().bind(queue).bind(&groups).bind(turns == Turns::Keep);
    let rows = query.fetch_all(&mut *on.connection).await?;
    let is_empty = |row: &sqlx::sqlite::SqliteRow| row.try_get::<bool, _>(0);
    if rows.iter().any(|row| is_empty(row).unwrap_or(true)) {
        on.statements.ordered.leave.query().bind(queue).bind(&groups).execute(&mut *on.connection).await?;
    }
    Ok(())
}

/// Finds out from when on groups can be received from that got messages; some of them may be new.
pub(super) async fn enter<'a>(
    on: &mut On<'_>,
    queue: QueueId,
    groups: impl IntoIterator<Item = &'a str> + Clone,
) -> Result<(), sqlx::Error> {
    let names = json::texts(groups.clone());
    on.statements.ordered.enter.query().bind(queue).bind(names).execute(&mut *on.connection).await?;
    tally(on, queue, groups, Turns::Keep).await
}

/// Moves messages to another queue, in order, behind all others of their groups there. Their groups here are to be
/// tallied.
pub(super) async fn move_to(
    on: &mut On<'_>,
    queue: QueueId,
    numbers: &[i64],
) -> Result<BTreeSet<String>, sqlx::Error> {
    let query = on.statements.ordered.move_to.query().bind(queue).bind(json::numbers(numbers));
    let rows = query.fetch_all(&mut *on.connection).await?;
    let groups: BTreeSet<String> = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
    enter(on, queue, groups.iter().map(String::as_str)).await?;
    Ok(groups)
}
