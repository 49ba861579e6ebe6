//! A redrive by the service.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use aws_sdk_sqs::types::ListMessageMoveTasksResultEntry as Entry;
use queue_core::QueueError;
use tokio::time::sleep;

use super::{MoveProgress, MoveState, NoTasks, RedriveOptions, of_task, patience::Patience};
use crate::SqsQueue;
use crate::queue::Shared;

/// How many redrives the service tells of: the last ten (`MaxResults` of `ListMessageMoveTasks` in the Amazon SQS API
/// reference).
const MOST: u8 = 10;
/// How long is waited between two looks at a redrive.
const PAUSE: Duration = Duration::from_secs(1);

/// A redrive that the service was told to make: see [`SqsQueue::start_redrive`].
///
/// # Drop
/// Nothing: it goes on.
#[derive(Clone, Debug)]
pub struct MoveTask {
    shared: Arc<Shared>,
    handle: Arc<str>,
    /// When the redrive before it started, by the service's clock.
    before: i64,
    /// When it started, once that was seen. The service names a task's handle only while it runs.
    started: Arc<OnceLock<i64>>,
}

impl MoveTask {
    pub(super) async fn start(queue: &SqsQueue, options: RedriveOptions) -> Result<Self, QueueError> {
        const WHAT: &str = "start of a redrive";
        let source = arn(queue)?;
        let target = options.target.as_ref().map(arn).transpose()?;
        let newest = entries(&queue.shared).await?.into_iter().next();
        let before = newest.map_or(i64::MIN, |entry| entry.started_timestamp);
        // Once: a repetition would be refused, as the first is under way.
        let started = queue.shared.calls.client.start_message_move_task().source_arn(source);
        let started = started
            .set_destination_arn(target.map(str::to_owned))
            .set_max_number_of_messages_per_second(options.most_per_second.map(|most| most.get().into()))
            .customize()
            .config_override(queue.shared.calls.once())
            .send()
            .await
            .map_err(|error| of_task(WHAT, error))?;
        let none = || QueueError::indeterminate("start of a redrive: the service gave no handle for it");
        let handle = started.task_handle.ok_or_else(none)?.into();
        Ok(Self { shared: Arc::clone(&queue.shared), handle, before, started: Arc::default() })
    }

    /// The same; `None` where the service has no such tasks, or the queues' ARNs aren't known.
    pub(super) async fn try_start(queue: &SqsQueue, target: &SqsQueue) -> Result<Option<Self>, QueueError> {
        if queue.arn().is_none() || target.arn().is_none() {
            return Ok(None);
        }
        match Self::start(queue, RedriveOptions::new().with_target(target)).await {
            Err(error) if NoTasks::is_why(&error) => Ok(None),
            started => started.map(Some),
        }
    }

    pub(super) async fn running(queue: &SqsQueue) -> Result<Option<Self>, QueueError> {
        let running = entries(&queue.shared).await?.into_iter().find_map(|entry| {
            let (handle, started) = (entry.task_handle?.into(), entry.started_timestamp);
            let (before, started) = (started, Arc::new(OnceLock::from(started)));
            Some(Self { shared: Arc::clone(&queue.shared), handle, before, started })
        });
        Ok(running)
    }

    /// Waits until it has ended, and answers how many messages were moved.
    pub(super) async fn end(&self) -> Result<u64, QueueError> {
        let mut patience = Patience::new(None);
        loop {
            match self.progress().await {
                Ok(MoveProgress { state: MoveState::Completed, moved, .. }) => return Ok(moved),
                Ok(MoveProgress { state, moved, .. }) if state.is_over() => {
                    let why = format!("redrive by the service: {state}; {moved} messages were moved");
                    return Err(QueueError::transient(why));
                }
                Ok(_) => {
                    patience.renew()?;
                    sleep(PAUSE).await;
                }
                Err(error) => patience.bear(error).await?,
            }
        }
    }

    /// The service's name for it.
    pub fn handle(&self) -> &str {
        &self.handle
    }

    /// How far it is. The service knows the last ten redrives of a queue.
    ///
    /// # Cancel safety
    /// Safe: it only looks.
    ///
    /// # Errors
    /// *Permanent*: the service has forgotten it. *Transient*, *indeterminate*: ask again; it may not know of it yet.
    pub async fn progress(&self) -> Result<MoveProgress, QueueError> {
        let entries = entries(&self.shared).await?;
        if let Some(entry) = self.find(&entries) {
            return Ok(MoveProgress::read(entry));
        }
        match entries.first() {
            Some(newest) if newest.started_timestamp > self.before || self.started.get().is_some() => {
                Err(QueueError::permanent(
                    "progress of a redrive: the service knows the last ten, and this one is older",
                ))
            }
            _ => Err(QueueError::transient("progress of a redrive: the service doesn't know of it yet")),
        }
    }

    /// It is named while it runs. Afterwards its time tells it from others; where that was never seen, it is the first
    /// that came after the one before, as there is one at a time.
    fn find<'a>(&self, entries: &'a [Entry]) -> Option<&'a Entry> {
        if let Some(named) = entries.iter().find(|entry| entry.task_handle() == Some(&self.handle)) {
            self.started.get_or_init(|| named.started_timestamp);
            return Some(named);
        }
        if let Some(started) = self.started.get() {
            return entries.iter().find(|entry| entry.started_timestamp == *started);
        }
        let later = |entry: &&Entry| entry.started_timestamp > self.before;
        let forgotten = entries.len() >= usize::from(MOST) && entries.iter().all(|entry| later(&entry));
        entries.iter().rev().find(later).filter(|entry| !forgotten && entry.task_handle().is_none())
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
    let arn = known(shared)?;
    let call = shared.calls.client.list_message_move_tasks().source_arn(arn).max_results(MOST.into());
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
