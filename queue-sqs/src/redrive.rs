//! Redrive: moving messages back out of a dead-letter queue.

mod copy;
mod line;
mod options;
mod patience;
mod progress;
mod task;

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::SdkError;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use queue_core::QueueError;

pub use options::RedriveOptions;
pub use progress::{MoveProgress, MoveState};
pub use task::MoveTask;

use crate::SqsQueue;
use crate::error::of_call;
use copy::Redrive;

impl SqsQueue {
    /// Moves all visible messages of this queue to `target` and answers how many: out of a dead-letter queue, once the
    /// cause is mended. The service does it where it has tasks for that: see [`start_redrive`](Self::start_redrive).
    /// Where it has none, or the ARN of a queue is not known, they are copied and deleted: see
    /// [`redrive_to`](Self::redrive_to). Either way body, attributes and group stay, id and age are new, and the
    /// receive count begins anew.
    ///
    /// # Guarantees
    /// Q3, Q8.
    ///
    /// # Cancel safety
    /// Safe: what was moved stays moved. A redrive by the service goes on: [`running_redrive`](Self::running_redrive)
    /// finds it.
    ///
    /// # Errors
    /// Those of the way that was taken. *Permanent*: also a queue that is nobody's dead-letter queue, where the service has
    /// tasks; then there is `redrive_to`. *Transient*: also a redrive that the service ended early, which is told with its
    /// reason.
    pub async fn redrive(&self, target: &Self) -> Result<u64, QueueError> {
        self.check_target(target)?;
        match MoveTask::try_start(self, target).await? {
            Some(task) => task.end().await,
            None => Redrive::new(self, target).run(u64::MAX).await,
        }
    }

    /// Moves up to `most` visible messages of this queue to `target` and answers how many: out of a dead-letter queue,
    /// once the cause is mended. Body, attributes and group stay; id and age are new, and the receive count begins
    /// anew.
    ///
    /// Each message is received, published and only then deleted, ten at a time: whatever happens in between, it is in
    /// one of the queues at least. It can be in both. A FIFO queue takes it once all the same, if it is published again
    /// within five minutes; a standard queue's handlers have to bear it twice.
    ///
    /// Between two FIFO queues the groups keep their order: a message is published after the one before it of its group
    /// was stored, so that a group of many takes a call for each. Between two standard queues there is no order.
    ///
    /// It works at every service that speaks the protocol and to any queue of its kind, and ends with this process.
    /// [`redrive`](Self::redrive) lets the service do it where it can.
    ///
    /// # Guarantees
    /// Q3, Q8.
    ///
    /// # Cancel safety
    /// Safe: what was moved stays moved. What was received is hidden for up to two minutes, and then comes back; what
    /// was just published may be in both queues.
    ///
    /// # Errors
    /// In each case what was moved before stays moved. *Permanent*: the two are the same queue or of different kinds;
    /// or the target refused messages, for their size for instance. They are in this queue still, and those behind them
    /// in their groups; all others were moved, unless a hundred were refused, or came again a hundred times without news.
    /// Or this queue refused a delete, so that the message is in both. *Transient*, *indeterminate*: it went on for as long
    /// as there was hope; call it again.
    pub async fn redrive_to(&self, target: &Self, most: u64) -> Result<u64, QueueError> {
        self.check_target(target)?;
        Redrive::new(self, target).run(most).await
    }

    /// Lets the service move this queue's messages, and answers at once. Body, attributes and group stay; id and age are
    /// new, and the receive count begins anew ("Configure a dead-letter queue redrive" in the Amazon SQS Developer Guide).
    /// It goes on without this process: [`MoveTask::progress`] tells how far it is, and
    /// [`running_redrive`](Self::running_redrive) finds it again.
    ///
    /// The queue has to be the dead-letter queue of another one, and only one redrive of it can run at a time
    /// (`StartMessageMoveTask` in the Amazon SQS API reference), for 36 hours at most, and a hundred of an account (the
    /// guide). The caller needs the rights `sqs:StartMessageMoveTask`, `sqs:ListMessageMoveTasks`,
    /// `sqs:CancelMessageMoveTask`, `sqs:ReceiveMessage`, `sqs:DeleteMessage` and `sqs:GetQueueAttributes` here, and
    /// `sqs:SendMessage` there (the guide, "Amazon SQS API permissions").
    ///
    /// # Cancel safety
    /// Safe: it was started or not; `running_redrive` tells.
    ///
    /// # Errors
    /// *Permanent*: the service has no such tasks (then there is [`redrive_to`](Self::redrive_to)) or refused this one;
    /// or the queue was built by [`assume`](crate::SqsQueueBuilder::assume), so that its ARN is not known.
    /// *Transient*: it was not started. *Indeterminate*: it may have been.
    pub async fn start_redrive(&self, options: RedriveOptions) -> Result<MoveTask, QueueError> {
        MoveTask::start(self, options).await
    }

    /// The redrive that the service is busy with, whoever started it.
    ///
    /// # Cancel safety
    /// Safe: it only looks.
    ///
    /// # Errors
    /// As those of [`start_redrive`](Self::start_redrive).
    pub async fn running_redrive(&self) -> Result<Option<MoveTask>, QueueError> {
        MoveTask::running(self).await
    }

    fn check_target(&self, target: &Self) -> Result<(), QueueError> {
        if self.url() == target.url() {
            let why = format!("queue {:?} can't be redriven to itself", self.name());
            return Err(QueueError::permanent(why));
        }
        if self.shared.record.ordered() != target.shared.record.ordered() {
            let why = "a redrive needs two queues of one kind: both FIFO, or both standard";
            return Err(QueueError::permanent(why));
        }
        Ok(())
    }
}

/// What a failed call about a task means.
fn of_task<E>(what: &'static str, error: SdkError<E, HttpResponse>) -> QueueError
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    let absent = is_absent(&error);
    let error = of_call(what, error);
    if !absent {
        return error;
    }
    let why = format!("{what}: the service does not do this for the queue; `redrive_to` needs no task");
    QueueError::permanent(why).with_source(NoTasks(error))
}

/// The service has no tasks for redrives.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct NoTasks(QueueError);

impl NoTasks {
    /// Whether an error says so.
    fn is_why(error: &QueueError) -> bool {
        std::error::Error::source(error).is_some_and(<dyn std::error::Error>::is::<Self>)
    }
}

/// Whether the service says that there are no such tasks; those that never heard of them say it by status alone.
fn is_absent<E: ProvideErrorMetadata>(error: &SdkError<E, HttpResponse>) -> bool {
    match error.code() {
        Some(code) => ["UnsupportedOperation", "InvalidAction", "UnknownOperation"]
            .iter()
            .any(|absent| code.contains(absent)),
        None => {
            error.raw_response().is_some_and(|answer| matches!(answer.status().as_u16(), 404 | 405 | 501))
        }
    }
}

#[cfg(test)]
mod tests;
