//! Publishing: what is checked, what is sent, and what is handed back.

use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use queue_core::{MessageId, Outgoing, QueueError, Rejected};

use crate::batch::{self, Answer};
use crate::convert;
use crate::error::{Call, of_call};
use crate::queue::Shared;
use crate::settler::failure;

impl Shared {
    /// Sends what the limits allow and hands back the rest, in the order of the batch (Q6, Q11).
    pub(crate) async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        let checked = self.record.limits.check_batch(batch, |message| self.check_identity(message));
        let entries: Result<Vec<_>, _> =
            batch::sound(&checked).map(|(id, message)| entry(id, message)).collect();
        let answer = match entries {
            Ok(entries) if entries.is_empty() => Answer::of_nothing(),
            Ok(entries) => self.send(entries).await,
            Err(error) => Answer::Failed(error),
        };
        batch::fill(checked, answer, Rejected::new)
    }

    async fn send(&self, entries: Vec<SendMessageBatchRequestEntry>) -> Answer<MessageId> {
        let call = self.calls.client.send_message_batch().queue_url(&*self.record.url);
        match call.set_entries(Some(entries)).customize().config_override(self.calls.once()).send().await {
            Ok(sent) => Answer::new(
                sent.successful.into_iter().map(|sent| (sent.id, MessageId::new(sent.message_id))),
                sent.failed.into_iter().map(|failed| failure(Call::Send, failed)),
            ),
            Err(error) => Answer::Failed(of_call("send", error)),
        }
    }

    /// Whether a FIFO queue can tell the message from others (Q9).
    fn check_identity(&self, message: &Outgoing) -> Result<(), QueueError> {
        let told = self.record.content_deduplication || message.deduplication_id().is_some();
        if told || !self.record.ordered() {
            return Ok(());
        }
        Err(QueueError::permanent(
            "a FIFO queue needs a deduplication id on each message, or to be set to deduplicate by content",
        ))
    }
}

fn entry(id: String, message: &Outgoing) -> Result<SendMessageBatchRequestEntry, QueueError> {
    SendMessageBatchRequestEntry::builder()
        .id(id)
        .message_body(message.body())
        .set_message_attributes(convert::write(message.attributes())?)
        .set_delay_seconds(message.delay().map(convert::seconds))
        .set_message_group_id(message.group_key().map(str::to_owned))
        .set_message_deduplication_id(message.deduplication_id().map(str::to_owned))
        .build()
        .map_err(|error| QueueError::permanent("a message can't be written").with_source(error))
}
