//! Receiving.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{Consumer, Delivery, Inspect, MemoryClock, ReceiveOptions};
use serde::Deserialize;
use serde_json::{Value, json};

use super::handle::Handle;
use super::queue::Queue;
use super::select::Selection;
use super::{Sqs, characters, digest, input, refusal, value};
use crate::server::effects::Effects;
use crate::server::error::ServiceError;

/// The most messages of a receive, the longest wait and the longest visibility timeout, in seconds (Amazon SQS API
/// Reference, `ReceiveMessage`).
const MOST: i64 = 10;
const LONGEST_WAIT: i64 = 20;
pub(super) const LONGEST_VISIBILITY: i64 = 43_200;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Receive {
    queue_url: Option<String>,
    #[serde(default)]
    attribute_names: Option<Vec<String>>,
    #[serde(default)]
    message_system_attribute_names: Option<Vec<String>>,
    #[serde(default)]
    message_attribute_names: Option<Vec<String>>,
    max_number_of_messages: Option<i64>,
    visibility_timeout: Option<i64>,
    wait_time_seconds: Option<i64>,
    #[serde(rename = "ReceiveRequestAttemptId")]
    attempt_id: Option<String>,
}

/// A receive that was checked.
#[derive(Debug)]
struct Wanted {
    queue: Arc<Queue>,
    clock: MemoryClock,
    options: ReceiveOptions,
    selection: Selection,
    cap: Option<usize>,
}

impl Sqs {
    pub(super) async fn receive_message(
        &self,
        input: Value,
        effects: &Effects,
    ) -> Result<Value, ServiceError> {
        let mut receive: Receive = input::read(input)?;
        let queue = self.queue(receive.queue_url.take())?;
        let options = receive.options(&queue)?;
        let selection = receive.into_selection()?;
        let cap = effects.in_flight_cap;
        let wanted = Wanted { queue, clock: self.clock.clone(), options, selection, cap };
        if !effects.abandon {
            return wanted.take().await;
        }
        // It goes on without its caller, and what it takes stays hidden.
        let alone = self.tasks.spawn(wanted.take());
        alone.await.unwrap_or_else(|_ended| Ok(json!({})))
    }
}

impl Receive {
    /// A receive that names no visibility timeout gets the queue's (P9).
    fn options(&self, queue: &Queue) -> Result<ReceiveOptions, ServiceError> {
        let settings = queue.settings();
        let most = self.most()?;
        let wait = self.wait_time_seconds.map(wait).transpose()?;
        let visibility = self.visibility_timeout.map(visibility).transpose()?;
        let options = ReceiveOptions::new(most)
            .with_wait(wait.unwrap_or(settings.wait()))
            .with_visibility(visibility.unwrap_or(settings.visibility()));
        let attempt = self.attempt_id.as_deref();
        characters::check_id("ReceiveRequestAttemptId", attempt)?;
        Ok(match attempt {
            Some(id) => options.with_attempt_id(id),
            None => options,
        })
    }

    fn most(&self) -> Result<usize, ServiceError> {
        let most = self.max_number_of_messages.unwrap_or(1);
        usize::try_from(most).ok().filter(|_| (1..=MOST).contains(&most)).ok_or_else(|| {
            refusal::invalid_value(most, "MaxNumberOfMessages", "Must be between 1 and 10, if provided.")
        })
    }

    fn into_selection(self) -> Result<Selection, ServiceError> {
        let mut system = self.attribute_names.unwrap_or_default();
        system.extend(self.message_system_attribute_names.unwrap_or_default());
        Selection::new(&system, self.message_attribute_names.unwrap_or_default())
    }
}

impl Wanted {
    async fn take(mut self) -> Result<Value, ServiceError> {
        if let Some(cap) = self.cap
            && !self.has_room(cap).await?
        {
            return Ok(json!({}));
        }
        let deliveries = self.queue.memory.receive(self.options.clone()).await;
        let deliveries = deliveries.map_err(|_full| refusal::over_limit())?;
        let messages: Vec<Value> = deliveries.into_iter().map(|delivery| self.write(delivery)).collect();
        Ok(if messages.is_empty() { json!({}) } else { json!({ "Messages": messages }) })
    }

    /// Whether the cap leaves room. If not, a short poll is refused and a long one waits in silence.
    async fn has_room(&mut self, cap: usize) -> Result<bool, ServiceError> {
        let in_flight = self.queue.memory.depth().await.map_or(0, |depth| depth.in_flight);
        let room = cap.saturating_sub(usize::try_from(in_flight).unwrap_or(usize::MAX));
        if room == 0 && self.options.wait.is_zero() {
            return Err(refusal::over_limit());
        }
        if room == 0 {
            self.clock.sleep_until(self.clock.now() + self.options.wait).await;
            return Ok(false);
        }
        self.options.max_messages = self.options.max_messages.min(room);
        Ok(true)
    }

    fn write(&self, delivery: Delivery) -> Value {
        let (queue, message) = (&*self.queue, delivery.message());
        let now = self.clock.at(self.clock.now());
        let first = queue.firsts.note(message, now, queue.settings().retention());
        let mut told = json!({
            "MessageId": message.id().as_str(),
            "ReceiptHandle": Handle::write(queue, delivery.receipt()),
            "MD5OfBody": digest::md5(message.body()),
            "Body": message.body(),
        });
        let system = self.selection.system(message, (&queue.name.arn, queue.fifo()), first);
        if !system.is_empty() {
            told["Attributes"] = Value::Object(system);
        }
        let attributes = self.selection.message(message);
        if let Some(digest) = digest::md5_of_attributes(attributes.iter().copied()) {
            told["MD5OfMessageAttributes"] = digest.into();
            let write = |(name, value): (&str, _)| (name.to_owned(), value::write(value));
            told["MessageAttributes"] = attributes.into_iter().map(write).collect();
        }
        queue.settler.get_or_init(|| Arc::clone(delivery.settler()));
        delivery.forget();
        told
    }
}

fn wait(asked: i64) -> Result<Duration, ServiceError> {
    seconds(asked, LONGEST_WAIT).ok_or_else(|| {
        refusal::invalid_value(asked, "WaitTimeSeconds", "Must be >= 0 and <= 20, if provided.")
    })
}

/// Checks a visibility timeout.
pub(super) fn visibility(asked: i64) -> Result<Duration, ServiceError> {
    seconds(asked, LONGEST_VISIBILITY).ok_or_else(|| {
        let reason = "VisibilityTimeout must be an integer between 0 and 43200";
        refusal::invalid_value(asked, "VisibilityTimeout", reason)
    })
}

fn seconds(asked: i64, most: i64) -> Option<Duration> {
    u64::try_from(asked).ok().filter(|_| asked <= most).map(Duration::from_secs)
}
