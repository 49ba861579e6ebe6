//! Receiving from ordered queues: group by group, in the order in which they became ready (Q8).

use sqlx::mysql::MySqlRow;
use sqlx::{MySqlConnection, Row};

use super::look::Haul;
use super::receive::{ROUNDS, WINDOWS};
use super::session::{Session, begin};
use super::{MySqlStore, rows};
use crate::micros;
use crate::store::{QueueRecord, Received, Wanted};

/// Locks the groups whose turn it is, over those that others have locked, and behind the one that was locked last; by the
/// primary key, for the reason that [`READY`](super::receive::READY) gives. A group with a time of zero has nothing but
/// messages past their retention.
pub(super) const TURNS: &str = "
SELECT g.group_id, g.ready_us
FROM (SELECT group_id FROM q_group FORCE INDEX (q_group_ready)
  WHERE queue_id = ? AND ready_us >= ? AND ready_us <= :now AND NOT (ready_us = ? AND group_id <= ?)
  ORDER BY ready_us, group_id LIMIT ?) c
STRAIGHT_JOIN q_group g FORCE INDEX (PRIMARY) ON g.queue_id = ? AND g.group_id = c.group_id
WHERE g.ready_us > 0 AND g.ready_us <= :now
LIMIT ? FOR UPDATE SKIP LOCKED";

pub(super) const TAKE: &str = "
UPDATE q_ordered_message FORCE INDEX (PRIMARY)
SET receipt = ?, receive_count = receive_count + 1, received_us = ?, visible_us = ?
WHERE {(queue_id = ? AND group_id = ? AND id = ?)| OR }";

impl MySqlStore {
    pub(super) async fn receive_ordered(
        &self,
        connection: &mut MySqlConnection,
        queue: &QueueRecord,
        wanted: &Wanted,
    ) -> Result<Received, sqlx::Error> {
        let mut transaction = begin(connection).await?;
        let mut session = Session::new(&mut transaction, &self.sql);
        let received = if let Some(received) = session.repeat(queue, wanted).await? {
            received
        } else {
            let haul = session.haul(queue, wanted).await?;
            if haul.is_nothing() {
                return Ok(Received::default());
            }
            session.land(queue, wanted, haul).await?
        };
        transaction.commit().await?;
        Ok(received)
    }
}

impl Session<'_> {
    /// Locks groups until there is enough: one at first, then as many as the rest takes if they give as much as those before.
    /// What it locks and does not need is denied to others for a moment.
    async fn haul(&mut self, queue: &QueueRecord, wanted: &Wanted) -> Result<Haul, sqlx::Error> {
        let (mut haul, mut last, mut share) = (Haul::default(), (1, String::new()), 1);
        for _ in 0..ROUNDS {
            let turns = self.turns(queue, &last, share).await?;
            let groups: Vec<String> = turns.iter().map(|(_, group)| group.clone()).collect();
            let Some(turn) = turns.into_iter().next_back() else { break };
            last = turn;
            self.take_from(queue, &groups, (wanted, &mut haul)).await?;
            share = haul.share(wanted);
            if share == 0 {
                break;
            }
        }
        Ok(haul)
    }

    async fn turns(
        &mut self,
        queue: &QueueRecord,
        (ready_us, group): &(i64, String),
        share: usize,
    ) -> Result<Vec<(i64, String)>, sqlx::Error> {
        for window in WINDOWS {
            let turns = self.sql.ordered.turns.query().bind(queue.id).bind(ready_us).bind(ready_us);
            let turns = turns.bind(group.as_bytes()).bind(window).bind(queue.id);
            let turns = turns.bind(i64::try_from(share).unwrap_or(1));
            let found = turns.fetch_all(&mut *self.connection).await?;
            if !found.is_empty() {
                let turn = |row: &MySqlRow| Ok((row.try_get(1)?, rows::text(row, 0)?));
                let mut turns = found.iter().map(turn).collect::<Result<Vec<_>, sqlx::Error>>()?;
                turns.sort_unstable();
                return Ok(turns);
            }
        }
        Ok(Vec::new())
    }

    /// Takes what locked groups have; what was received too often is moved first, and what is behind it counts.
    async fn take_from(
        &mut self,
        queue: &QueueRecord,
        groups: &[String],
        (wanted, haul): (&Wanted, &mut Haul),
    ) -> Result<(), sqlx::Error> {
        for _ in 0..ROUNDS {
            let rest = haul.rest(wanted);
            let look = self.look(queue, groups, (wanted, rest)).await?;
            let dead = look.exhausted(groups, rest, queue.settings.dead_letter);
            let (Some(letter), false) = (queue.settings.dead_letter, dead.is_empty()) else {
                haul.add(look, groups, rest);
                return Ok(());
            };
            haul.dead += dead.len() as u64;
            self.transfer(queue.id, letter.queue, &dead).await?;
        }
        Ok(())
    }

    /// Hides what was taken, notes the attempt, and says when each group is ready next.
    async fn land(
        &mut self,
        queue: &QueueRecord,
        wanted: &Wanted,
        mut haul: Haul,
    ) -> Result<Received, sqlx::Error> {
        let until = haul.now + micros::of(wanted.visibility);
        self.take(queue, wanted, (&mut haul, until)).await?;
        self.note_attempt(queue.id, wanted, (&haul.taken, until)).await?;
        let taken = haul.from.iter().map(|(group, ends_us)| (group.as_str(), Some(until.min(*ends_us))));
        let mended = haul.mended.iter().map(|(group, ready_us)| (group.as_str(), *ready_us));
        self.set_ready(queue.id, &taken.chain(mended).collect::<Vec<_>>()).await?;
        Ok(Received { taken: haul.taken, dead: haul.dead })
    }

    async fn take(
        &mut self,
        queue: &QueueRecord,
        wanted: &Wanted,
        (haul, until): (&mut Haul, i64),
    ) -> Result<(), sqlx::Error> {
        if haul.taken.is_empty() {
            return Ok(());
        }
        let take = self.sql.ordered.take.query(haul.taken.len());
        let mut take = take.bind(&wanted.receipt.as_bytes()[..]).bind(haul.now).bind(until);
        for message in &haul.taken {
            let group = message.group.as_deref().unwrap_or_default();
            take = take.bind(queue.id).bind(group.as_bytes()).bind(message.number);
        }
        take.execute(&mut *self.connection).await?;
        haul.taken.iter_mut().for_each(|message| message.receive_count += 1);
        Ok(())
    }
}
