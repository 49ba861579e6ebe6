//! A selection: which attributes a receive asks for.

use std::time::{SystemTime, UNIX_EPOCH};

use queue_core::{AttributeValue, Message};
use serde_json::{Map, Value};

use super::{refusal, stored};
use crate::server::error::ServiceError;

/// Who sent everything here: the service's own example.
const SENDER: &str = "AIDACKCEVSQ6C2EXAMPLE";

/// The attributes that the service gives a message (Amazon SQS API Reference, `ReceiveMessage`).
const SYSTEM: [&str; 9] = [
    "SenderId",
    "SentTimestamp",
    "ApproximateReceiveCount",
    "ApproximateFirstReceiveTimestamp",
    "SequenceNumber",
    "MessageDeduplicationId",
    "MessageGroupId",
    "AWSTraceHeader",
    "DeadLetterQueueSourceArn",
];

/// What a receive asks for beside the bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    system: Vec<&'static str>,
    message: Vec<String>,
}

impl Selection {
    /// Reads the names that a call gives.
    pub(super) fn new(system: &[String], message: Vec<String>) -> Result<Self, ServiceError> {
        let all = system.iter().any(|name| name == "All");
        if let Some(unknown) = system.iter().find(|name| *name != "All" && !SYSTEM.contains(&name.as_str())) {
            return Err(refusal::unknown_attribute(unknown));
        }
        let wanted = |name: &&'static str| all || system.iter().any(|asked| asked == name);
        Ok(Self { system: SYSTEM.into_iter().filter(wanted).collect(), message })
    }

    /// The service's attributes of a message that the queue with this ARN hands out.
    pub(super) fn system(
        &self,
        message: &Message,
        (arn, fifo): (&str, bool),
        first: SystemTime,
    ) -> Map<String, Value> {
        let first_queue = stored::source(message).filter(|source| *source != arn);
        let told = |name: &&'static str| {
            let value = match *name {
                "ApproximateFirstReceiveTimestamp" => Some(millis(first)),
                "SequenceNumber" if fifo => Some(stored::sequence_number(message.id())),
                // There the id takes its place (Amazon SQS Developer Guide, "Learn how to configure a dead-letter queue
                // redrive").
                "MessageDeduplicationId" if fifo && first_queue.is_some() => {
                    Some(message.id().as_str().to_owned())
                }
                "DeadLetterQueueSourceArn" => first_queue.map(str::to_owned),
                _ => of_message(message, name),
            };
            value.map(|value| ((*name).to_owned(), Value::String(value)))
        };
        self.system.iter().filter_map(told).collect()
    }

    /// The message attributes that were asked for.
    pub(super) fn message<'a>(&self, message: &'a Message) -> Vec<(&'a str, &'a AttributeValue)> {
        stored::attributes(message)
            .filter(|(name, _)| self.message.iter().any(|asked| fits(asked, name)))
            .collect()
    }
}

/// What the message itself says.
fn of_message(message: &Message, name: &str) -> Option<String> {
    match name {
        "SenderId" => Some(SENDER.to_owned()),
        "SentTimestamp" => message.sent_at().map(millis),
        "ApproximateReceiveCount" => Some(message.receive_count().to_string()),
        "MessageDeduplicationId" => stored::deduplication_id(message).map(str::to_owned),
        "MessageGroupId" => message.group_key().map(str::to_owned),
        "AWSTraceHeader" => stored::trace_header(message).map(str::to_owned),
        _ => None,
    }
}

/// Whether a name is asked for: by itself, by its beginning and `.*`, or with all.
fn fits(asked: &str, name: &str) -> bool {
    match asked {
        "All" | "*" => true,
        _ => asked == name || asked.strip_suffix(".*").is_some_and(|prefix| name.starts_with(prefix)),
    }
}

fn millis(time: SystemTime) -> String {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis().to_string()
}
