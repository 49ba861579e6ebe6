//! Settling at a memory queue.

use std::time::Duration;

use async_trait::async_trait;

use super::engine::Deleted;
use super::shared::Shared;
use crate::{QueueError, Receipt, Settler};

#[async_trait]
impl Settler for Shared {
    async fn delete(&self, batch: Vec<Receipt>) -> Vec<Result<(), QueueError>> {
        if let Some(refusal) = self.refuse_entries(batch.len()) {
            return vec![Err(refusal); batch.len()];
        }
        let answers: Vec<_> =
            self.act(|state, now| batch.iter().map(|receipt| state.engine.delete(receipt, now)).collect());
        answers.into_iter().map(|answer| answer.and_then(|deleted| self.judge(deleted))).collect()
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Vec<Result<(), QueueError>> {
        if let Some(refusal) = self.refuse_entries(batch.len()) {
            return vec![Err(refusal); batch.len()];
        }
        self.act(|state, now| {
            let change = |(receipt, visibility)| state.engine.change_visibility((&receipt, visibility), now);
            batch.into_iter().map(change).collect()
        })
    }

    fn abandon(&self, _receipt: Receipt) {
        self.count_unsettled_drop();
    }
}

impl Shared {
    fn refuse_entries(&self, entries: usize) -> Option<QueueError> {
        let most = self.settings().receive_limits().batch;
        (entries > most)
            .then(|| QueueError::permanent(format!("the batch has {entries} entries, {most} are allowed")))
    }

    /// A message that is gone is deleted, which is a success (P36); but one that was moved is not gone.
    fn judge(&self, deleted: Deleted) -> Result<(), QueueError> {
        match deleted {
            Deleted::Before(message) if self.dead_letter_holds(message) => {
                Err(QueueError::lost("the message was moved to the dead-letter queue since"))
            }
            Deleted::Before(_) | Deleted::Now => Ok(()),
        }
    }
}
