//! Publishing to a topic: what is checked, what is sent, and what is handed back.

use aws_sdk_sns::operation::publish_batch::PublishBatchOutput;
use queue_core::{MessageId, Outgoing, QueueError, Rejected};

use super::convert;
use super::shared::Shared;
use crate::batch::{self, Answer};
use crate::error::{self, Call};

type Checked = Vec<Result<Outgoing, Rejected>>;

impl Shared {
    /// Publishes what the limits allow and hands back the rest, in the order of the batch (Q6, Q11).
    pub(super) async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        let checked = self.limits.check_batch(batch, |message| self.check_identity(message));
        let answer = match self.send(&checked).await {
            Ok(answer) => answer,
            Err(error) => Answer::Failed(error),
        };
        let names = checked.iter().map(|entry| entry.as_ref().ok()?.attributes().message_id());
        let names: Vec<_> = names.collect();
        let answers = batch::fill(checked, answer, Rejected::new).into_iter();
        answers.zip(names).map(|(answer, name)| answer.map(|id| name.unwrap_or(id))).collect()
    }

    async fn send(&self, checked: &Checked) -> Result<Answer<MessageId>, QueueError> {
        let entries = batch::sound(checked).map(|(id, message)| convert::entry(id, message));
        let entries = entries.collect::<Result<Vec<_>, _>>()?;
        if entries.is_empty() {
            return Ok(Answer::of_nothing());
        }
        let call = self.calls.client.publish_batch().topic_arn(&*self.arn);
        let sent = call.set_publish_batch_request_entries(Some(entries)).customize();
        let sent = sent.config_override(self.calls.once()).send().await;
        sent.map(by_entry).map_err(|error| error::of_call("publish", error))
    }
}

fn by_entry(answer: PublishBatchOutput) -> Answer<MessageId> {
    let stored = answer.successful.unwrap_or_default().into_iter();
    let stored = stored.filter_map(|entry| Some((entry.id?, MessageId::new(entry.message_id?))));
    let failed = answer.failed.unwrap_or_default().into_iter().map(|entry| {
        let error = error::of_entry(Call::Publish, &entry.code, entry.sender_fault, entry.message.as_deref());
        (entry.id, error)
    });
    Answer::new(stored, failed)
}
