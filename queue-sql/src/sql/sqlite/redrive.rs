//! Redriving: moving messages back out of a dead-letter queue.

use async_trait::async_trait;

use super::groups::{Pick, Turns, move_to, tally};
use super::operation::{On, Operation};
use crate::micros;
use crate::store::QueueRecord;

/// Moves visible messages to another queue. Of an ordered queue those that could be received now: what waits behind a
/// message in flight stays behind it.
#[derive(Debug)]
pub(super) struct Redrive {
    pub(super) from: QueueRecord,
    pub(super) to: QueueRecord,
    pub(super) limit: u32,
}

#[async_trait]
impl Operation for Redrive {
    type Answer = u64;

    const WHAT: &'static str = "redrive";

    fn is_single(&self) -> bool {
        !self.from.settings.ordered
    }

    async fn run(&self, mut on: On<'_>) -> Result<u64, sqlx::Error> {
        let Self { from, to, limit } = self;
        if from.settings.ordered {
            return self.move_ordered(&mut on).await;
        }
        let query = on.statements.standard.redrive.query().bind(from.id).bind(to.id);
        let query = query.bind(micros::of(from.settings.retention)).bind(limit);
        Ok(query.execute(on.connection).await?.rows_affected())
    }
}

impl Redrive {
    async fn move_ordered(&self, on: &mut On<'_>) -> Result<u64, sqlx::Error> {
        let most = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let picked = Pick::of(&self.from, most).run(on).await?;
        if picked.groups.is_empty() {
            return Ok(0);
        }
        move_to(on, self.to.id, &picked.numbers).await?;
        tally(on, self.from.id, picked.groups.iter().map(String::as_str), Turns::Keep).await?;
        Ok(picked.numbers.len() as u64)
    }
}
