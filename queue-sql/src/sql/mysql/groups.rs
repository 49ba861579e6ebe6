//! The groups of an ordered queue: their locks, and when each can be received from.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::Row;
use sqlx::mysql::MySqlRow;

use super::rows;
use super::session::Session;
use super::state::{State, state};
use super::text::{Series, Statement};
use crate::micros;
use crate::store::{QueueId, QueueRecord};

/// As many messages of a group as one receive can have in flight, and the one behind them: what decides its turn.
const WINDOW: u32 = 11;

pub(super) const LOCK: &str = "
SELECT group_id, last_id FROM q_group FORCE INDEX (PRIMARY) WHERE queue_id = ? AND group_id IN ({?}) FOR UPDATE";

pub(super) const LOCK_KNOWN: &str = "
SELECT group_id, COALESCE(ready_us <= :now, 0) FROM q_group FORCE INDEX (PRIMARY)
WHERE queue_id = ? AND group_id IN ({?}) FOR UPDATE";

pub(super) const SET_READY: &str = "
UPDATE q_group FORCE INDEX (PRIMARY) SET ready_us = CASE {WHEN group_id = ? THEN ?| } END
WHERE {(queue_id = ? AND group_id = ?)| OR }";

pub(super) const REMOVE_EMPTY: &str = "
DELETE g FROM ({SELECT CAST(? AS BINARY) AS group_id| UNION ALL }) k
STRAIGHT_JOIN q_group g FORCE INDEX (PRIMARY) ON g.queue_id = ? AND g.group_id = k.group_id
WHERE (SELECT m.id FROM q_ordered_message m FORCE INDEX (PRIMARY)
  WHERE m.queue_id = g.queue_id AND m.group_id = g.group_id LIMIT 1) IS NULL";

/// The first messages of each group, but for those past their retention. No message changes while its group is locked.
pub(super) const HEADS: &str = "
{(SELECT id, group_id, visible_us, receipt, received_us, sent_us, :now
FROM q_ordered_message FORCE INDEX (PRIMARY)
WHERE queue_id = ? AND group_id = ? AND sent_us > :now - ? ORDER BY id LIMIT ?)| UNION ALL }";

/// A message of a group, as far as its turn goes.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) number: i64,
    pub(super) state: State,
    /// When its retention ends.
    pub(super) ends_us: i64,
}

impl Spot {
    pub(super) fn is_in_flight(&self, now: i64) -> bool {
        self.state.receipt.is_some() && self.state.visible_us > now
    }

    /// Until when it holds up its group: past its retention it doesn't.
    fn until(&self) -> i64 {
        self.state.visible_us.min(self.ends_us)
    }
}

/// When a group with these messages at its head is ready, looked at when it was not; `None` if there are none.
pub(super) fn ready_us(spots: &[Spot], now: i64) -> Option<i64> {
    let head = spots.first()?.until();
    let in_flight = spots.iter().filter(|spot| spot.is_in_flight(now)).map(Spot::until).max();
    Some(in_flight.unwrap_or(head).max(now))
}

/// The first messages of groups that are locked, and the time at which they were read.
#[derive(Debug, Default)]
pub(super) struct Heads {
    pub(super) now: i64,
    pub(super) by_group: BTreeMap<String, Vec<Spot>>,
}

impl Heads {
    /// When a group is ready, looked at when it was not; `None` if it has nothing to receive.
    pub(super) fn ready_us(&self, group: &str) -> Option<i64> {
        ready_us(self.by_group.get(group)?, self.now)
    }
}

impl Session<'_> {
    /// Locks those of the groups that are there.
    pub(super) async fn lock(&mut self, queue: QueueId, groups: &BTreeSet<&str>) -> Result<(), sqlx::Error> {
        named(&self.sql.groups.lock, queue, groups.iter().copied()).fetch_all(&mut *self.connection).await?;
        Ok(())
    }

    /// Locks those of the groups that are there; answers them, and of each whether it is ready.
    pub(super) async fn lock_known(
        &mut self,
        queue: QueueId,
        groups: &[String],
    ) -> Result<BTreeMap<String, bool>, sqlx::Error> {
        let lock = named(&self.sql.groups.lock_known, queue, groups.iter().map(String::as_str));
        let found = lock.fetch_all(&mut *self.connection).await?;
        found.iter().map(|row| Ok((rows::text(row, 0)?, row.try_get::<i64, _>(1)? != 0))).collect()
    }

    /// Reads the first messages of groups that are locked.
    pub(super) async fn heads(
        &mut self,
        queue: &QueueRecord,
        groups: impl ExactSizeIterator<Item = &str> + Send,
    ) -> Result<Heads, sqlx::Error> {
        let retention = micros::of(queue.settings.retention);
        let mut read = self.sql.groups.heads.query(groups.len());
        for group in groups {
            read = read.bind(queue.id).bind(group.as_bytes()).bind(retention).bind(WINDOW);
        }
        let mut heads = Heads::default();
        for row in read.fetch_all(&mut *self.connection).await? {
            heads.now = row.try_get(6)?;
            heads.by_group.entry(rows::text(&row, 1)?).or_default().push(spot(&row, retention)?);
        }
        Ok(heads)
    }

    /// Notes when groups are ready. One with nothing to receive is removed, or kept for the sweep if it has messages that
    /// are past their retention.
    pub(super) async fn set_ready(
        &mut self,
        queue: QueueId,
        groups: &[(&str, Option<i64>)],
    ) -> Result<(), sqlx::Error> {
        if groups.is_empty() {
            return Ok(());
        }
        let mut set = self.sql.groups.set_ready.query(groups.len());
        for (group, ready_us) in groups {
            set = set.bind(group.as_bytes()).bind(ready_us.unwrap_or(0));
        }
        for (group, _) in groups {
            set = set.bind(queue).bind(group.as_bytes());
        }
        set.execute(&mut *self.connection).await?;
        let drained = groups.iter().filter(|(_, ready_us)| ready_us.is_none()).map(|&(group, _)| group);
        self.remove_empty(queue, &drained.collect::<Vec<_>>()).await
    }

    /// Removes those of the groups that have no messages. They are locked.
    pub(super) async fn remove_empty(&mut self, queue: QueueId, groups: &[&str]) -> Result<(), sqlx::Error> {
        if !groups.is_empty() {
            let remove = self.sql.groups.remove_empty.query(groups.len());
            let remove = groups.iter().fold(remove, |remove, group| remove.bind(group.as_bytes()));
            remove.bind(queue).execute(&mut *self.connection).await?;
        }
        Ok(())
    }
}

/// Begins a statement about groups of a queue.
pub(super) fn named<'q>(
    series: &Series,
    queue: QueueId,
    groups: impl ExactSizeIterator<Item = &'q str>,
) -> Statement<'q> {
    let statement = series.query(groups.len()).bind(queue);
    groups.fold(statement, |statement, group| statement.bind(group.as_bytes()))
}

pub(super) fn spot(row: &MySqlRow, retention: i64) -> Result<Spot, sqlx::Error> {
    Ok(Spot {
        number: row.try_get(0)?,
        state: state(row, 2)?,
        ends_us: row.try_get::<i64, _>(5)?.saturating_add(retention),
    })
}
