//! The attributes of queues: reading and setting them.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use queue_core::Inspect;
use serde::Deserialize;
use serde_json::{Value, json};

use super::page::Page;
use super::queue::Queue;
use super::redrive::Redrive;
use super::settings::Settings;
use super::{Sqs, input, refusal};
use crate::server::error::ServiceError;

/// Those that a queue has only if they are set, or only of one kind.
const MAYBE: [&str; 9] = [
    "ContentBasedDeduplication",
    "DeduplicationScope",
    "FifoQueue",
    "FifoThroughputLimit",
    "KmsDataKeyReusePeriodSeconds",
    "KmsMasterKeyId",
    "Policy",
    "RedriveAllowPolicy",
    "RedrivePolicy",
];

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Get {
    queue_url: Option<String>,
    #[serde(default)]
    attribute_names: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Set {
    queue_url: Option<String>,
    #[serde(default)]
    attributes: Option<BTreeMap<String, String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Sources {
    queue_url: Option<String>,
    #[serde(flatten)]
    page: Page,
}

impl Sqs {
    pub(super) async fn get_queue_attributes(&self, input: Value) -> Result<Value, ServiceError> {
        let Get { queue_url, attribute_names } = input::read(input)?;
        let queue = self.queue(queue_url)?;
        let (names, mut all) = (attribute_names.unwrap_or_default(), all(&queue).await?);
        if let Some(unknown) = names.iter().find(|name| !is_known(name, &all)) {
            return Err(refusal::unknown_attribute(unknown));
        }
        if !names.iter().any(|name| name == "All") {
            all.retain(|name, _| names.contains(name));
        }
        Ok(if all.is_empty() { json!({}) } else { json!({ "Attributes": all }) })
    }

    pub(super) fn set_queue_attributes(&self, input: Value) -> Result<Value, ServiceError> {
        let Set { queue_url, attributes } = input::read(input)?;
        let queue = self.queue(queue_url)?;
        let attributes = attributes.ok_or_else(|| refusal::missing("Attribute.Name"))?;
        if let Some(kind) = attributes.get("FifoQueue") {
            if !queue.fifo() {
                return Err(refusal::unknown_attribute("FifoQueue"));
            }
            if kind != "true" {
                return Err(refusal::attribute_value("FifoQueue", "Modifying queue type is not supported."));
            }
        }
        let settings = (*queue.settings()).clone().with(&attributes)?;
        self.set(&queue, settings, attributes.get("RedrivePolicy"))?;
        Ok(json!({}))
    }

    fn set(&self, queue: &Queue, settings: Settings, policy: Option<&String>) -> Result<(), ServiceError> {
        let redrive = settings.redrive();
        let target = redrive.as_ref().and_then(|redrive| self.queues.by_arn(&redrive.target_arn));
        if let Some(policy) = policy.filter(|policy| !policy.is_empty()) {
            Redrive::check(policy, (&queue.name.arn, settings.fifo), target.as_deref())?;
        }
        let dead_letter =
            target.as_ref().zip(redrive).map(|(to, redrive)| (&to.memory, redrive.max_receive_count));
        queue.set(settings, &self.clock, dead_letter).map_err(|error| {
            refusal::invalid_value(policy.map_or("", String::as_str), "RedrivePolicy", error.message())
        })
    }

    pub(super) fn list_dead_letter_source_queues(&self, input: Value) -> Result<Value, ServiceError> {
        let Sources { queue_url, page } = input::read(input)?;
        let queue = self.queue(queue_url)?;
        let sources = self.queues.sources_of(&queue.name.arn);
        page.cut("queueUrls", sources.iter().map(|source| source.name.url.clone()).collect())
    }
}

fn is_known(name: &String, all: &BTreeMap<String, String>) -> bool {
    name == "All" || all.contains_key(name) || MAYBE.contains(&name.as_str())
}

async fn all(queue: &Queue) -> Result<BTreeMap<String, String>, ServiceError> {
    let depth = queue.memory.depth().await.map_err(|error| refusal::invalid(error.to_string()))?;
    let mut all = queue.settings().all();
    all.extend(
        [
            ("ApproximateNumberOfMessages", depth.visible.to_string()),
            ("ApproximateNumberOfMessagesDelayed", depth.delayed.to_string()),
            ("ApproximateNumberOfMessagesNotVisible", depth.in_flight.to_string()),
            ("CreatedTimestamp", seconds(queue.created)),
            ("LastModifiedTimestamp", seconds(queue.modified())),
            ("QueueArn", queue.name.arn.clone()),
        ]
        .map(|(name, value)| (name.to_owned(), value)),
    );
    Ok(all)
}

fn seconds(time: SystemTime) -> String {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs().to_string()
}
