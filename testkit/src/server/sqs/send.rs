//! Sending: one message or a batch.

use queue_core::{MessageId, Publisher, Rejected};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::batch::{self, Answer};
use super::content::{Content, Entry};
use super::queue::Queue;
use super::{Sqs, digest, input, refusal, stored};
use crate::server::effects::Effects;
use crate::server::error::ServiceError;

/// The most bytes of a batch (Amazon SQS Developer Guide, "Amazon SQS message quotas"; P48).
const BATCH_BYTES: usize = 1_048_576;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Send {
    queue_url: Option<String>,
    #[serde(flatten)]
    entry: Entry,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct SendBatch {
    queue_url: Option<String>,
    #[serde(default)]
    entries: Option<Vec<Entry>>,
}

impl Sqs {
    pub(super) async fn send_message(&self, input: Value) -> Result<Value, ServiceError> {
        let Send { queue_url, entry } = input::read(input)?;
        let queue = self.queue(queue_url)?;
        check_and_store(&queue, entry).await.map(Value::Object)
    }

    pub(super) async fn send_message_batch(
        &self,
        input: Value,
        effects: &Effects,
    ) -> Result<Value, ServiceError> {
        let SendBatch { queue_url, entries } = input::read(input)?;
        let queue = self.queue(queue_url)?;
        let entries = entries.unwrap_or_default();
        check(&queue, &entries)?;
        let mut answer = Answer::default();
        for (number, entry) in entries.into_iter().enumerate() {
            let id = entry.id.clone().unwrap_or_default();
            if !answer.play(&id, number, effects) {
                answer.note(&id, check_and_store(&queue, entry).await);
            }
        }
        Ok(answer.write())
    }
}

fn check(queue: &Queue, entries: &[Entry]) -> Result<(), ServiceError> {
    let ids: Vec<_> = entries.iter().map(|entry| entry.id.as_deref()).collect();
    batch::check(&ids, "SendMessageBatchRequestEntry")?;
    let bytes = entries.iter().map(Entry::size).sum();
    if bytes > BATCH_BYTES {
        return Err(refusal::batch_size(BATCH_BYTES, bytes));
    }
    entries.iter().try_for_each(|entry| entry.check_for_batch(&queue.settings()))
}

async fn check_and_store(queue: &Queue, entry: Entry) -> Result<Map<String, Value>, ServiceError> {
    store(queue, entry.into_content(&queue.settings())?).await
}

/// Stores a message that was checked, and tells what the service tells of it.
pub(super) async fn store(queue: &Queue, content: Content) -> Result<Map<String, Value>, ServiceError> {
    let mut told = Map::new();
    told.insert("MD5OfMessageBody".to_owned(), digest::md5(&content.body).into());
    let system = content.trace_header.as_ref().map(|header| ("AWSTraceHeader", header));
    for (name, digest) in [
        ("MD5OfMessageAttributes", digest::md5_of_attributes(content.attributes.iter())),
        ("MD5OfMessageSystemAttributes", digest::md5_of_attributes(system)),
    ] {
        told.extend(digest.map(|digest| (name.to_owned(), json!(digest))));
    }
    let outgoing = stored::outgoing(content, &queue.name.arn, &queue.settings());
    let id = only(queue.memory.publish(vec![outgoing]).await)?;
    if queue.fifo() {
        told.insert("SequenceNumber".to_owned(), stored::sequence_number(&id).into());
    }
    told.insert("MessageId".to_owned(), id.as_str().into());
    Ok(told)
}

fn only(answers: Vec<Result<MessageId, Rejected>>) -> Result<MessageId, ServiceError> {
    let answer = answers.into_iter().next();
    let refuse = |reason: String| Err(refusal::invalid(reason));
    match answer {
        Some(Ok(id)) => Ok(id),
        Some(Err(rejected)) => refuse(rejected.error().to_string()),
        None => refuse("the queue gave no answer".to_owned()),
    }
}
