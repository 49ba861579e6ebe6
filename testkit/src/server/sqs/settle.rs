//! Settling: deletes and changes of visibility timeouts, one or a batch.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{QueueError, QueueErrorKind};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::batch::{self, Answer};
use super::handle::Handle;
use super::queue::Queue;
use super::receive::visibility;
use super::{Sqs, input, refusal};
use crate::server::effects::Effects;
use crate::server::error::ServiceError;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Settle {
    queue_url: Option<String>,
    #[serde(flatten)]
    entry: Entry,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Entry {
    id: Option<String>,
    receipt_handle: Option<String>,
    visibility_timeout: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct SettleBatch {
    queue_url: Option<String>,
    #[serde(default)]
    entries: Option<Vec<Entry>>,
}

/// What a call does to what it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Delete,
    ChangeVisibility,
}

impl Sqs {
    /// Deletes a message or changes its visibility timeout.
    pub(super) async fn settle(&self, act: Act, input: Value) -> Result<Value, ServiceError> {
        let Settle { queue_url, entry } = input::read(input)?;
        let queue = self.queue(queue_url)?;
        entry.act(act, &queue).await.map(|()| json!({}))
    }

    /// Does so for the entries of a batch.
    pub(super) async fn settle_batch(
        &self,
        act: Act,
        input: Value,
        effects: &Effects,
    ) -> Result<Value, ServiceError> {
        let SettleBatch { queue_url, entries } = input::read(input)?;
        let queue = self.queue(queue_url)?;
        let entries = entries.unwrap_or_default();
        let ids: Vec<_> = entries.iter().map(|entry| entry.id.as_deref()).collect();
        batch::check(&ids, act.entry())?;
        let mut answer = Answer::default();
        for (number, entry) in entries.iter().enumerate() {
            let id = entry.id.as_deref().unwrap_or_default();
            if !answer.play(id, number, effects) {
                answer.note(id, entry.act(act, &queue).await.map(|()| Map::new()));
            }
        }
        Ok(answer.write())
    }
}

impl Act {
    fn entry(self) -> &'static str {
        match self {
            Self::Delete => "DeleteMessageBatchRequestEntry",
            Self::ChangeVisibility => "ChangeMessageVisibilityBatchRequestEntry",
        }
    }
}

impl Entry {
    async fn act(&self, act: Act, queue: &Queue) -> Result<(), ServiceError> {
        let handle = input::required(self.receipt_handle.clone(), "ReceiptHandle")?;
        match act {
            Act::Delete => delete(queue, &handle).await,
            Act::ChangeVisibility => {
                let asked = self.visibility_timeout.ok_or_else(|| refusal::missing("VisibilityTimeout"))?;
                change(queue, &handle, (asked, visibility(asked)?)).await
            }
        }
    }
}

/// Deletes. With an old handle a standard queue answers success and deletes nothing, which is one of the two things
/// that the service may do; an ordered one refuses it (P1). What is deleted already is deleted (P36).
async fn delete(queue: &Queue, handle: &str) -> Result<(), ServiceError> {
    let Handle { receipt, message } = Handle::read(queue, handle)?;
    let settler = queue.settler.get().map(Arc::clone).ok_or_else(|| refusal::handle(handle))?;
    match settler.delete(vec![receipt]).await.into_iter().next() {
        Some(Ok(())) => {
            queue.firsts.forget(&message);
            Ok(())
        }
        Some(Err(error)) if error.kind() != QueueErrorKind::Lost => Err(refusal::handle(handle)),
        _ if queue.fifo() => Err(refusal::expired_handle(handle)),
        _ => Ok(()),
    }
}

async fn change(queue: &Queue, handle: &str, (asked, timeout): (i64, Duration)) -> Result<(), ServiceError> {
    let Handle { receipt, message } = Handle::read(queue, handle)?;
    let settler = queue.settler.get().map(Arc::clone).ok_or_else(|| refusal::handle(handle))?;
    let answer = settler.change_visibility(vec![(receipt, timeout)]).await.into_iter().next();
    match answer.map(|answer| answer.map_err(|error: QueueError| error.kind())) {
        Some(Ok(())) => Ok(()),
        Some(Err(QueueErrorKind::Lost)) if queue.firsts.has(&message) => Err(refusal::not_in_flight()),
        Some(Err(QueueErrorKind::Lost)) | None => Err(refusal::gone(handle)),
        // The handle is ours, so it is the 12 hours (P2).
        Some(Err(_)) => Err(refusal::invalid_value(
            asked,
            "VisibilityTimeout",
            "Total VisibilityTimeout for the message is beyond the limit [43200 seconds]",
        )),
    }
}
