//! A redrive by the service.

use std::sync::Arc;

use aws_sdk_sqs::types::ListMessageMoveTasksResultEntry as Entry;
use queue_core::QueueError;

use super::{MoveProgress, RedriveOptions, of_task};
use crate::SqsQueue;
use crate::queue::Shared;

/// A redrive that the service was told to make: see [`SqsQueue::start_redrive`].
///
/// # Drop
/// Nothing: it goes on.
#[derive(Clone, Debug)]
pub struct MoveTask {
    shared: Arc<Shared>,
    handle: Arc<str>,
    /// The service names a task's handle only while it runs; afterwards the time tells it from others.
    started: Option<i64>,
}

impl MoveTask {
    pub(super) async fn start(queue: &SqsQueue, options: RedriveOptions) -> Result<Self, QueueError> {
        const WHAT: &str = "start of a redrive";
        let target = options.target.as_ref().map(arn).transpose()?;
        // Once: a repetition would be refused, as the first is under way.
        let call = queue.shared.calls.client.start_message_move_task().source_arn(arn(queue)?);
        let started = call
            .set_destination_arn(target.map(str::to_owned))
            .set_max_number_of_messages_per_second(options.most_per_second.map(|most| most.get().into()))
            .customize()
            .config_override(queue.shared.calls.once())
            .send()
            .await
            .map_err(|error| of_task(WHAT, error))?;
        let none = || QueueError::indeterminate("start of a redrive: the service gave no handle for it");
        let handle = started.task_handle.ok_or_else(none)?;
        // Only a help to find it later: it is started whether or not this succeeds.
        let newest = entries(&queue.shared).await.ok().and_then(|entries| entries.into_iter().next());
        let started = newest.map(|entry| entry.started_timestamp);
        Ok(Self { shared: Arc::clone(&queue.shared), handle: handle.into(), started })
    }

    pub(super) async fn running(queue: &SqsQueue) -> Result<Option<Self>, QueueError> {
        let running = entries(&queue.shared).await?.into_iter().find_map(|entry| {
            let handle = entry.task_handle?.into();
            Some(Self { shared: Arc::clone(&queue.shared), handle, started: Some(entry.started_timestamp) })
        });
        Ok(running)
    }

    /// The service's name for it.
    pub fn handle(&self) -> &str {
        &self.handle
    }

    /// How far it is. The service knows the last ten redrives of a queue (`ListMessageMoveTasks` in the Amazon SQS API
    /// reference).
    ///
    /// # Cancel safety
    /// Safe: it only looks.
    ///
    /// # Errors
    /// *Permanent*: the service has forgotten it. *Transient*, *indeterminate*: ask again.
    pub async fn progress(&self) -> Result<MoveProgress, QueueError> {
        let entries = entries(&self.shared).await?;
        let named = entries.iter().find(|entry| entry.task_handle() == Some(&self.handle));
        let known = named.or_else(|| {
            entries.iter().find(|entry| self.started.is_none_or(|started| entry.started_timestamp == started))
        });
        known.map(MoveProgress::read).ok_or_else(|| {
            QueueError::permanent(
                "progress of a redrive: the service knows the last ten, and this one is older",
            )
        })
    }

    /// Ends it, and answers about how many messages were moved. They stay moved.
    ///
    /// # Cancel safety
    /// Safe: it was cancelled or goes on; [`progress`](Self::progress) tells.
    ///
    /// # Errors
    /// *Permanent*: it has ended already. *Transient*, *indeterminate*: try again.
    pub async fn cancel(&self) -> Result<u64, QueueError> {
        let call = self.shared.calls.client.cancel_message_move_task().task_handle(&*self.handle);
        let call = call.customize().config_override(self.shared.calls.once());
        let answer = call.send().await.map_err(|error| of_task("cancelling a redrive", error))?;
        Ok(u64::try_from(answer.approximate_number_of_messages_moved).unwrap_or_default())
    }
}

/// The queue's tasks, the newest first.
async fn entries(shared: &Shared) -> Result<Vec<Entry>, QueueError> {
    const MOST: i32 = 10; // `MaxResults` of `ListMessageMoveTasks`
    let arn = known(shared)?;
    let call = shared.calls.client.list_message_move_tasks().source_arn(arn).max_results(MOST);
    let call = call.customize().config_override(shared.calls.once());
    let answer = call.send().await.map_err(|error| of_task("progress of a redrive", error))?;
    Ok(answer.results.unwrap_or_default())
}

fn arn(queue: &SqsQueue) -> Result<&str, QueueError> {
    known(&queue.shared)
}

fn known(shared: &Shared) -> Result<&str, QueueError> {
    shared.record.arn.as_deref().ok_or_else(|| {
        QueueError::permanent(format!(
            "a redrive by the service needs the ARN of queue {:?}: build it without `assume`, or use `redrive_to`",
            shared.record.name
        ))
    })
}
