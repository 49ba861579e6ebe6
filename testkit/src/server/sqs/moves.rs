//! Message move tasks: messages go from a dead-letter queue back to where they came from, or elsewhere.

mod progress;
mod task;

use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use queue_core::Inspect;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::queue::Queue;
use super::{Sqs, input, refusal};
use crate::server::error::ServiceError;
use task::Task;

/// The fastest rate, in messages per second, and the most tasks of an answer (Amazon SQS API Reference,
/// `StartMessageMoveTask`, `ListMessageMoveTasks`).
const FASTEST: i64 = 500;
const MOST_LISTED: i64 = 10;

/// The tasks so far, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Moves(Mutex<Vec<Arc<Task>>>);

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Start {
    source_arn: Option<String>,
    destination_arn: Option<String>,
    max_number_of_messages_per_second: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct List {
    source_arn: Option<String>,
    max_results: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Cancel {
    task_handle: Option<String>,
}

/// What a task's handle says.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Handle {
    task_id: String,
    source_arn: String,
}

impl Sqs {
    pub(super) async fn start_message_move_task(&self, input: Value) -> Result<Value, ServiceError> {
        let start: Start = input::read(input)?;
        let source = self.resource(start.source_arn.as_deref(), "SourceArn")?;
        if self.queues.sources_of(&source.name.arn).is_empty() {
            return Err(refusal::invalid("Source queue must be configured as a Dead Letter Queue."));
        }
        let rate = start.rate()?;
        if let Some(arn) = &start.destination_arn {
            let to = self.resource(Some(arn), "DestinationArn")?;
            if to.fifo() != source.fifo() {
                return Err(refusal::invalid("Source and destination queues must be of the same type."));
            }
        }
        let to_move = source.memory.depth().await.map_or(0, |depth| depth.total());
        let task = Task::new(self, &source, (start.destination_arn, rate), to_move);
        let task = self.moves.begin(task)?;
        let handle = handle(&task.id, &task.source_arn);
        self.tasks.spawn(Task::run(task, source));
        Ok(json!({ "TaskHandle": handle }))
    }

    pub(super) fn list_message_move_tasks(&self, input: Value) -> Result<Value, ServiceError> {
        let List { source_arn, max_results } = input::read(input)?;
        let source = self.resource(source_arn.as_deref(), "SourceArn")?;
        let most = max_results.unwrap_or(1);
        if !(1..=MOST_LISTED).contains(&most) {
            return Err(refusal::invalid_value(most, "MaxResults", "Must be between 1 and 10, if provided."));
        }
        let most = usize::try_from(most).unwrap_or(1);
        let of_source = |task: &&Arc<Task>| task.source_arn == source.name.arn;
        let results: Vec<_> =
            self.moves.all().iter().rev().filter(of_source).take(most).map(|task| tell(task)).collect();
        Ok(json!({ "Results": results }))
    }

    pub(super) fn cancel_message_move_task(&self, input: Value) -> Result<Value, ServiceError> {
        let Cancel { task_handle } = input::read(input)?;
        let handle = input::required(task_handle, "TaskHandle")?;
        let handle =
            read(&handle).ok_or_else(|| refusal::invalid("Value for parameter TaskHandle is invalid."))?;
        self.resource(Some(&handle.source_arn), "SourceArn")?;
        let task = self.moves.all().into_iter().find(|task| task.id == handle.task_id);
        let task = task.ok_or_else(|| refusal::no_resource("Task does not exist."))?;
        if !task.progress.cancel() {
            return Err(refusal::invalid("Only active tasks can be cancelled."));
        }
        Ok(json!({ "ApproximateNumberOfMessagesMoved": task.progress.moved() }))
    }

    fn resource(&self, arn: Option<&str>, parameter: &str) -> Result<Arc<Queue>, ServiceError> {
        let arn = arn.filter(|arn| !arn.is_empty()).ok_or_else(|| refusal::missing(parameter))?;
        self.queues.by_arn(arn).ok_or_else(|| {
            let message =
                format!("The resource that you specified for the {parameter} parameter doesn't exist.");
            refusal::no_resource(message)
        })
    }
}

impl Start {
    fn rate(&self) -> Result<Option<u32>, ServiceError> {
        let Some(rate) = self.max_number_of_messages_per_second else { return Ok(None) };
        if !(1..=FASTEST).contains(&rate) {
            let reason = "Must be between 1 and 500, if provided.";
            return Err(refusal::invalid_value(rate, "MaxNumberOfMessagesPerSecond", reason));
        }
        Ok(u32::try_from(rate).ok())
    }
}

impl Moves {
    /// Notes a task, unless another one of its source runs.
    fn begin(&self, task: Task) -> Result<Arc<Task>, ServiceError> {
        let mut tasks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if tasks.iter().any(|other| other.source_arn == task.source_arn && other.progress.is_active()) {
            return Err(refusal::invalid(
                "There is already a task running. Only one active task is allowed for a source queue arn at a given time.",
            ));
        }
        let task = Arc::new(task);
        tasks.push(Arc::clone(&task));
        Ok(task)
    }

    fn all(&self) -> Vec<Arc<Task>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn handle(id: &str, source_arn: &str) -> String {
    STANDARD.encode(json!({ "taskId": id, "sourceArn": source_arn }).to_string())
}

fn read(handle: &str) -> Option<Handle> {
    let handle: Handle = serde_json::from_slice(&STANDARD.decode(handle).ok()?).ok()?;
    Uuid::try_parse(&handle.task_id).ok().map(|_| handle)
}

/// A task as the list tells of it; a handle has only one that can be cancelled.
fn tell(task: &Task) -> Value {
    let (status, reason) = task.progress.status();
    let mut told = json!({
        "ApproximateNumberOfMessagesMoved": task.progress.moved(),
        "ApproximateNumberOfMessagesToMove": task.to_move,
        "SourceArn": task.source_arn,
        "StartedTimestamp": task.started,
        "Status": status,
    });
    let running = task.progress.is_active().then(|| handle(&task.id, &task.source_arn));
    for (name, value) in [
        ("DestinationArn", json!(task.destination_arn)),
        ("MaxNumberOfMessagesPerSecond", json!(task.rate)),
        ("FailureReason", json!(reason)),
        ("TaskHandle", json!(running)),
    ] {
        if !value.is_null() {
            told[name] = value;
        }
    }
    told
}
