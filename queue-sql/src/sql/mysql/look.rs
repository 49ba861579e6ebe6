//! What a receive finds in groups that are locked, and what it takes of that.

use std::collections::BTreeMap;

use sqlx::Row;
use sqlx::mysql::MySqlRow;

use super::groups::{Spot, ready_us, spot};
use super::receive::is_exhausted;
use super::rows;
use super::session::Session;
use crate::micros;
use crate::store::{DeadLetter, QueueRecord, Taken, Wanted};

/// The first messages of each group, with all that a consumer gets. The groups are locked, so that no message changes.
pub(super) const MESSAGES: &str = "
{(SELECT id, group_id, visible_us, receipt, received_us, sent_us, :now, receive_count, message_id, attributes, body
FROM q_ordered_message FORCE INDEX (PRIMARY)
WHERE queue_id = ? AND group_id = ? AND sent_us > :now - ? ORDER BY id LIMIT ?)| UNION ALL }";

/// A message as it was found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) spot: Spot,
    pub(super) message: Taken,
}

impl Found {
    pub(super) fn group(&self) -> &str {
        self.message.group.as_deref().unwrap_or_default()
    }
}

/// What a receive has so far.
#[derive(Debug, Default)]
pub(super) struct Haul {
    pub(super) now: i64,
    pub(super) taken: Vec<Taken>,
    pub(super) dead: u64,
    /// The groups it took from, and when the retention of all that it took ends.
    pub(super) from: Vec<(String, i64)>,
    /// The groups whose turn it seemed to be, and when it is.
    pub(super) mended: Vec<(String, Option<i64>)>,
}

/// What one look at locked groups brings.
#[derive(Debug, Default)]
pub(super) struct Look {
    now: i64,
    by_group: BTreeMap<String, Vec<Found>>,
}

impl Session<'_> {
    pub(super) async fn look(
        &mut self,
        queue: &QueueRecord,
        groups: &[String],
        (wanted, rest): (&Wanted, usize),
    ) -> Result<Look, sqlx::Error> {
        let retention = micros::of(queue.settings.retention);
        let most = i64::try_from(rest).unwrap_or(1);
        let mut read = self.sql.ordered.messages.query(groups.len());
        for group in groups {
            read = read.bind(queue.id).bind(group.as_bytes()).bind(retention).bind(most);
        }
        let mut look = Look::default();
        for row in read.fetch_all(&mut *self.connection).await? {
            look.now = row.try_get(6)?;
            look.by_group.entry(rows::text(&row, 1)?).or_default().push(found(&row, queue, wanted)?);
        }
        Ok(look)
    }
}

impl Haul {
    pub(super) fn is_nothing(&self) -> bool {
        self.taken.is_empty() && self.dead == 0 && self.mended.is_empty()
    }

    /// How many messages it can take yet.
    pub(super) fn rest(&self, wanted: &Wanted) -> usize {
        (wanted.max as usize).saturating_sub(self.taken.len())
    }

    /// How many groups to lock next.
    pub(super) fn share(&self, wanted: &Wanted) -> usize {
        let (rest, looked_at) = (self.rest(wanted), self.from.len() + self.mended.len());
        (rest * looked_at.max(1)).div_ceil(self.taken.len().max(1)).min(rest)
    }

    /// Takes up to `rest` messages, group by group. A group that has nothing to receive gets its turn when it has.
    pub(super) fn add(&mut self, mut look: Look, groups: &[String], mut rest: usize) {
        self.now = self.now.max(look.now);
        for group in groups {
            if rest == 0 {
                return;
            }
            let mut found = look.by_group.remove(group).unwrap_or_default();
            let ready = ready(&found, look.now).min(rest);
            rest -= ready;
            if ready > 0 {
                found.truncate(ready);
                let ends_us = found.iter().map(|found| found.spot.ends_us).max().unwrap_or(i64::MAX);
                self.from.push((group.clone(), ends_us));
                self.taken.extend(found.into_iter().map(|found| found.message));
            } else {
                let spots: Vec<Spot> = found.into_iter().map(|found| found.spot).collect();
                self.mended.push((group.clone(), ready_us(&spots, look.now)));
            }
        }
    }
}

impl Look {
    /// What would be taken but was received too often, as group and number.
    pub(super) fn exhausted(
        &self,
        groups: &[String],
        mut rest: usize,
        dead: Option<DeadLetter>,
    ) -> Vec<(String, i64)> {
        let mut exhausted = Vec::new();
        for group in groups {
            let Some(found) = self.by_group.get(group) else { continue };
            for Found { spot, message } in &found[..ready(found, self.now)] {
                if rest == 0 {
                    return exhausted;
                }
                if is_exhausted(message.receive_count, dead) {
                    exhausted.push((group.clone(), spot.number));
                } else {
                    rest -= 1;
                }
            }
        }
        exhausted
    }
}

/// How many messages can be received, one after the other. None if one of the group is in flight.
fn ready(found: &[Found], now: i64) -> usize {
    if found.iter().any(|found| found.spot.is_in_flight(now)) {
        return 0;
    }
    found.iter().take_while(|found| found.spot.state.visible_us <= now).count()
}

pub(super) fn found(row: &MySqlRow, queue: &QueueRecord, wanted: &Wanted) -> Result<Found, sqlx::Error> {
    let spot = spot(row, micros::of(queue.settings.retention))?;
    let message = Taken {
        number: spot.number,
        id: rows::id(row, 8)?,
        receipt: wanted.receipt,
        body: rows::text(row, 10)?,
        attributes: rows::text_or_none(row, 9)?,
        group: Some(rows::text(row, 1)?),
        receive_count: rows::count(row, 7)?,
        sent_us: row.try_get(5)?,
    };
    Ok(Found { spot, message })
}
