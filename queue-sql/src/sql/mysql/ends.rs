//! The ends of groups: where messages are added, and the ids that are given out there.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::Row;
use sqlx::mysql::MySqlRow;

use super::groups::named;
use super::rows;
use super::session::Session;
use crate::store::QueueId;

/// Locks groups, and makes those that are not there. The time as the first id keeps a group that is made anew from giving out
/// ids of the one before.
pub(super) const ENTER: &str = "
INSERT INTO q_group (queue_id, group_id, ready_us, last_id) VALUES {(?, ?, NULL, :now)}
ON DUPLICATE KEY UPDATE last_id = last_id";

/// Notes what was stored at the ends of groups. One that had nothing to receive is ready as soon as the first of it is.
pub(super) const LEAVE: &str = "
INSERT INTO q_group (queue_id, group_id, ready_us, last_id) VALUES {(?, ?, :now + ?, ?)}
ON DUPLICATE KEY UPDATE last_id = VALUES(last_id), ready_us = IF(ready_us > 0, ready_us, VALUES(ready_us))";

/// Moves a message to the end of its group in another queue.
pub(super) const TRANSFER: &str = "
UPDATE q_ordered_message FORCE INDEX (PRIMARY)
SET moved_from = ?, id = ?, queue_id = ?, visible_us = :now, receive_count = 0, receipt = NULL, received_us = NULL
WHERE queue_id = ? AND group_id = ? AND id = ?";

/// Groups that were locked to store something behind their ends.
#[derive(Debug)]
pub(super) struct Entered(BTreeMap<String, End>);

/// The end of a group.
#[derive(Debug)]
struct End {
    last_id: i64,
    /// In how long the first of what was added is visible; `None` if nothing was.
    ready_in: Option<i64>,
}

impl Entered {
    /// Gives out the next id of a group, for a message that is visible after `delay`.
    ///
    /// Groups that become ready by one transaction take turns in the order in which they were added to it: they are a
    /// microsecond apart.
    pub(super) fn add(&mut self, group: &str, delay: i64) -> i64 {
        let before = self.0.values().filter(|end| end.ready_in.is_some()).count();
        let Some(end) = self.0.get_mut(group) else { return 0 };
        end.last_id += 1;
        end.ready_in.get_or_insert(delay + i64::try_from(before).unwrap_or(0));
        end.last_id
    }
}

impl Session<'_> {
    /// Locks groups, making those that are not there. They are to be left by [`leave`](Self::leave).
    pub(super) async fn enter(
        &mut self,
        queue: QueueId,
        groups: &BTreeSet<&str>,
    ) -> Result<Entered, sqlx::Error> {
        let mut enter = self.sql.groups.enter.query(groups.len());
        for group in groups {
            enter = enter.bind(queue).bind(group.as_bytes());
        }
        enter.execute(&mut *self.connection).await?;
        let lock = named(&self.sql.groups.lock, queue, groups.iter().copied());
        let found = lock.fetch_all(&mut *self.connection).await?;
        let end =
            |row: &MySqlRow| Ok((rows::text(row, 0)?, End { last_id: row.try_get(1)?, ready_in: None }));
        found.iter().map(end).collect::<Result<_, _>>().map(Entered)
    }

    /// Notes what was added to groups, and removes those that were made for nothing.
    pub(super) async fn leave(
        &mut self,
        queue: QueueId,
        Entered(groups): Entered,
    ) -> Result<(), sqlx::Error> {
        let added: Vec<_> =
            groups.iter().filter_map(|(group, end)| Some((group, end.last_id, end.ready_in?))).collect();
        if !added.is_empty() {
            let mut leave = self.sql.groups.leave.query(added.len());
            for (group, last_id, ready_in) in &added {
                leave = leave.bind(queue).bind(group.as_bytes()).bind(*ready_in).bind(*last_id);
            }
            leave.execute(&mut *self.connection).await?;
        }
        let unused = groups.iter().filter(|(_, end)| end.ready_in.is_none()).map(|(group, _)| group.as_str());
        self.remove_empty(queue, &unused.collect::<Vec<_>>()).await
    }

    /// Moves messages, given as group and number, to the ends of their groups in another queue, in this order. Their groups
    /// here are locked.
    pub(super) async fn transfer(
        &mut self,
        from: QueueId,
        to: QueueId,
        messages: &[(String, i64)],
    ) -> Result<(), sqlx::Error> {
        let groups: BTreeSet<&str> = messages.iter().map(|(group, _)| group.as_str()).collect();
        let entered = self.enter(to, &groups).await?;
        self.transfer_into((from, to), entered, messages).await
    }

    /// The same with the groups there entered already.
    pub(super) async fn transfer_into(
        &mut self,
        (from, to): (QueueId, QueueId),
        mut entered: Entered,
        messages: &[(String, i64)],
    ) -> Result<(), sqlx::Error> {
        for (group, number) in messages {
            let moved = self.sql.groups.transfer.query().bind(number).bind(entered.add(group, 0)).bind(to);
            moved.bind(from).bind(group.as_bytes()).bind(number).execute(&mut *self.connection).await?;
        }
        self.leave(to, entered).await
    }
}
