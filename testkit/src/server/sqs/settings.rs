//! Settings: the attributes of a queue that can be set, checked.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use super::redrive::Redrive;
use super::{policy, refusal};
use crate::server::error::ServiceError;

/// The attributes that count something: name, least, most, and what holds unless it is set (Amazon SQS API Reference,
/// `CreateQueue`).
const NUMBERS: [(&str, u64, u64, &str); 6] = [
    ("DelaySeconds", 0, 900, "0"),
    ("KmsDataKeyReusePeriodSeconds", 60, 86_400, "300"),
    ("MaximumMessageSize", 1_024, 1_048_576, "1048576"),
    ("MessageRetentionPeriod", 60, 1_209_600, "345600"),
    ("ReceiveMessageWaitTimeSeconds", 0, 20, "0"),
    ("VisibilityTimeout", 0, 43_200, "30"),
];
const BOOLEANS: [&str; 3] = ["FifoQueue", "ContentBasedDeduplication", "SqsManagedSseEnabled"];
const DOCUMENTS: [&str; 3] = ["Policy", "RedriveAllowPolicy", "RedrivePolicy"];
/// Those of ordered queues only, with their values; the first holds unless another is set.
const CHOICES: [(&str, [&str; 2]); 2] = [
    ("DeduplicationScope", ["queue", "messageGroup"]),
    ("FifoThroughputLimit", ["perQueue", "perMessageGroupId"]),
];

/// What a queue is set to.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    pub(super) fifo: bool,
    set: BTreeMap<String, String>,
}

impl Settings {
    pub(super) fn new(fifo: bool) -> Self {
        Self { fifo, set: BTreeMap::new() }
    }

    /// Sets attributes, each checked. An empty document is one that is taken away.
    pub(super) fn with(mut self, attributes: &BTreeMap<String, String>) -> Result<Self, ServiceError> {
        for (name, value) in attributes {
            self.check(name, value)?;
            if value.is_empty() {
                self.set.remove(name);
            } else {
                self.set.insert(name.clone(), value.clone());
            }
        }
        self.check_encryption(attributes)?;
        Ok(self)
    }

    /// All that holds, set or by default.
    pub(super) fn all(&self) -> BTreeMap<String, String> {
        let encrypted = self.set.contains_key("KmsMasterKeyId");
        let numbers = NUMBERS.iter().map(|&(name, _, _, default)| (name, default));
        let mut all: BTreeMap<_, _> = numbers
            .filter(|&(name, _)| encrypted || name != "KmsDataKeyReusePeriodSeconds")
            .map(|(name, default)| (name.to_owned(), default.to_owned()))
            .collect();
        all.insert("SqsManagedSseEnabled".to_owned(), (!encrypted).to_string());
        if self.fifo {
            all.insert("FifoQueue".to_owned(), "true".to_owned());
            all.insert("ContentBasedDeduplication".to_owned(), "false".to_owned());
            all.extend(CHOICES.iter().map(|(name, values)| ((*name).to_owned(), values[0].to_owned())));
        }
        all.extend(self.set.clone());
        all
    }

    /// The first of `attributes` that differs from what holds here.
    pub(super) fn first_difference(&self, attributes: &BTreeMap<String, String>) -> Option<String> {
        let all = self.all();
        let differs = |name: &String, value: &String| match all.get(name) {
            Some(here) => !same(name, here, value),
            None => !value.is_empty(),
        };
        attributes.iter().find(|(name, value)| differs(name, value)).map(|(name, _)| name.clone())
    }

    pub(super) fn delay(&self) -> Duration {
        self.seconds("DelaySeconds")
    }

    pub(super) fn retention(&self) -> Duration {
        self.seconds("MessageRetentionPeriod")
    }

    pub(super) fn wait(&self) -> Duration {
        self.seconds("ReceiveMessageWaitTimeSeconds")
    }

    pub(super) fn visibility(&self) -> Duration {
        self.seconds("VisibilityTimeout")
    }

    /// The most bytes of a message, attributes included.
    pub(super) fn message_bytes(&self) -> usize {
        usize::try_from(self.number("MaximumMessageSize")).unwrap_or(usize::MAX)
    }

    pub(super) fn deduplicates_by_content(&self) -> bool {
        self.set.get("ContentBasedDeduplication").is_some_and(|value| value == "true")
    }

    /// Whether deduplication ids count for each group on its own.
    pub(super) fn deduplicates_by_group(&self) -> bool {
        self.set.get("DeduplicationScope").is_some_and(|value| value == "messageGroup")
    }

    pub(super) fn redrive(&self) -> Option<Redrive> {
        self.set.get("RedrivePolicy").and_then(|policy| Redrive::read(policy).ok())
    }

    /// One of the documents.
    pub(super) fn document(&self, name: &str) -> Option<Value> {
        self.set.get(name).and_then(|text| serde_json::from_str(text).ok())
    }

    fn seconds(&self, name: &str) -> Duration {
        Duration::from_secs(self.number(name))
    }

    fn number(&self, name: &str) -> u64 {
        let default = NUMBERS.iter().find(|number| number.0 == name).map(|number| number.3);
        let text = self.set.get(name).map(String::as_str).or(default);
        text.and_then(|text| text.parse().ok()).unwrap_or_default()
    }

    fn check(&self, name: &str, value: &str) -> Result<(), ServiceError> {
        if let Some(&(_, least, most, _)) = NUMBERS.iter().find(|number| number.0 == name) {
            let fits = value.parse::<u64>().is_ok_and(|number| (least..=most).contains(&number));
            return ensure(fits, || refusal::attribute_value(name, ""));
        }
        if let Some((_, values)) = CHOICES.iter().find(|choice| choice.0 == name) {
            ensure(self.fifo, || only_fifo(name))?;
            return ensure(values.contains(&value), || refusal::attribute_value(name, ""));
        }
        if DOCUMENTS.contains(&name) {
            return check_document(name, value);
        }
        if BOOLEANS.contains(&name) {
            ensure(self.fifo || name == "SqsManagedSseEnabled", || refusal::unknown_attribute(name))?;
            return ensure(matches!(value, "true" | "false"), || refusal::attribute_value(name, ""));
        }
        ensure(name == "KmsMasterKeyId", || refusal::unknown_attribute(name))
    }

    fn check_encryption(&self, attributes: &BTreeMap<String, String>) -> Result<(), ServiceError> {
        let managed = attributes.get("SqsManagedSseEnabled").is_some_and(|value| value == "true");
        ensure(!managed || !self.set.contains_key("KmsMasterKeyId"), || {
            ServiceError::sender(
                "InvalidAttributeName",
                "You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE.",
            )
        })
    }
}

fn ensure(holds: bool, error: impl FnOnce() -> ServiceError) -> Result<(), ServiceError> {
    if holds { Ok(()) } else { Err(error()) }
}

fn only_fifo(name: &str) -> ServiceError {
    let message = format!("You can specify the {name} only when FifoQueue is set to true.");
    ServiceError::sender("InvalidAttributeName", message)
}

fn check_document(name: &str, value: &str) -> Result<(), ServiceError> {
    if value.is_empty() {
        return Ok(());
    }
    if name == "RedrivePolicy" {
        return Redrive::read(value).map(drop);
    }
    let document = serde_json::from_str::<Value>(value).ok().filter(Value::is_object);
    let document = document.ok_or_else(|| refusal::attribute_value(name, ""))?;
    if name == "Policy" { policy::check(value, &document) } else { Ok(()) }
}

/// Documents are the same if they say the same.
fn same(name: &str, one: &str, other: &str) -> bool {
    if name == "RedrivePolicy" {
        return Redrive::read(one).ok() == Redrive::read(other).ok();
    }
    let read = |text| serde_json::from_str::<Value>(text).ok();
    one == other || (DOCUMENTS.contains(&name) && read(one) == read(other))
}
