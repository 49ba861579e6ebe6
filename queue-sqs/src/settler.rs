//! Settling by receipts.

use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_sqs::types::{
    BatchResultErrorEntry, ChangeMessageVisibilityBatchRequestEntry as Change,
    DeleteMessageBatchRequestEntry as Delete,
};
use queue_core::{QueueError, Receipt, Settler};

use crate::batch::{self, Answer};
use crate::convert::seconds;
use crate::error::{Call, of_call, of_entry};
use crate::queue::Shared;

type Answers = Vec<Result<(), QueueError>>;

#[async_trait]
impl Settler for Shared {
    async fn delete(&self, batch: Vec<Receipt>) -> Answers {
        let checked = self.check(batch, |_| Ok(()));
        let entries = batch::sound(&checked).map(|(id, receipt)| {
            Delete::builder().id(id).receipt_handle(receipt.as_str()).build().map_err(unwritten)
        });
        let answer = match entries.collect::<Result<Vec<_>, _>>() {
            Ok(entries) if entries.is_empty() => Answer::of_nothing(),
            Ok(entries) => self.send_deletes(entries).await,
            Err(error) => Answer::Failed(error),
        };
        batch::fill(checked, answer, |_, error| error)
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Answers {
        let checked = self.check(batch, |(_, visibility)| self.check_visibility(*visibility));
        let entries = batch::sound(&checked).map(|(id, (receipt, visibility))| {
            let change = Change::builder().id(id).receipt_handle(receipt.as_str());
            change.visibility_timeout(seconds(*visibility)).build().map_err(unwritten)
        });
        let answer = match entries.collect::<Result<Vec<_>, _>>() {
            Ok(entries) if entries.is_empty() => Answer::of_nothing(),
            Ok(entries) => self.send_changes(entries).await,
            Err(error) => Answer::Failed(error),
        };
        batch::fill(checked, answer, |_, error| error)
    }

    fn abandon(&self, _receipt: Receipt) {
        self.unsettled.fetch_add(1, Ordering::Relaxed);
    }
}

impl Shared {
    async fn send_deletes(&self, entries: Vec<Delete>) -> Answer<()> {
        let call = self.calls.client.delete_message_batch().queue_url(&*self.record.url);
        match call.set_entries(Some(entries)).customize().config_override(self.calls.once()).send().await {
            Ok(done) => Answer::new(
                done.successful.into_iter().map(|done| (done.id, ())),
                done.failed.into_iter().map(|failed| failure(Call::Delete, failed)),
            ),
            Err(error) => Answer::Failed(of_call("delete", error)),
        }
    }

    async fn send_changes(&self, entries: Vec<Change>) -> Answer<()> {
        let call = self.calls.client.change_message_visibility_batch().queue_url(&*self.record.url);
        match call.set_entries(Some(entries)).customize().config_override(self.calls.once()).send().await {
            Ok(done) => Answer::new(
                done.successful.into_iter().map(|done| (done.id, ())),
                done.failed.into_iter().map(|failed| failure(Call::ChangeVisibility, failed)),
            ),
            Err(error) => Answer::Failed(of_call("change of visibility", error)),
        }
    }

    /// Checks each entry by `check`; refuses all of a batch that is too long.
    fn check<T>(
        &self,
        batch: Vec<T>,
        check: impl Fn(&T) -> Result<(), QueueError>,
    ) -> Vec<Result<T, QueueError>> {
        let (entries, most) = (batch.len(), self.record.receive_limits.batch);
        if entries > most {
            let error = QueueError::permanent(format!("the batch has {entries} entries, {most} are allowed"));
            return batch.iter().map(|_| Err(error.clone())).collect();
        }
        batch.into_iter().map(|entry| check(&entry).map(|()| entry)).collect()
    }

    fn check_visibility(&self, visibility: Duration) -> Result<(), QueueError> {
        let longest = self.record.receive_limits.max_visibility;
        if visibility <= longest {
            return Ok(());
        }
        Err(QueueError::permanent(format!(
            "a visibility timeout of {visibility:?} is longer than the {longest:?} allowed"
        )))
    }
}

/// What became of an entry that failed, by its id.
pub(crate) fn failure(call: Call, failed: BatchResultErrorEntry) -> (String, QueueError) {
    let error = of_entry(call, &failed.code, failed.sender_fault, failed.message.as_deref());
    (failed.id, error)
}

fn unwritten(error: aws_smithy_types::error::operation::BuildError) -> QueueError {
    QueueError::permanent("a receipt can't be written").with_source(error)
}
