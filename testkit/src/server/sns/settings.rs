//! Settings: the attributes of a topic that can be set.

use std::collections::BTreeMap;

use super::super::error::ServiceError;
use super::refusal::invalid;

/// How large a message, and a batch of them, may be, unless `MaximumMessageSize` says otherwise, and what that may say
/// (Amazon SNS API Reference, `SetTopicAttributes`).
pub(super) const DEFAULT_BYTES: usize = 256 * 1024;
const BYTES: std::ops::RangeInclusive<usize> = 1024..=1024 * 1024;
/// The longest display name (Amazon SNS API Reference, `Topic`).
const DISPLAY_NAME: usize = 100;

/// Attributes that are kept and answered, and change nothing here.
const KEPT: [&str; 6] =
    ["ArchivePolicy", "DeliveryPolicy", "KmsMasterKeyId", "Policy", "TracingConfig", "DisplayName"];

/// The attributes that were set, checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Settings {
    values: BTreeMap<String, String>,
}

impl Settings {
    /// Checks the attributes of a new topic; `FifoTopic` is not one of them.
    pub(super) fn new(attributes: BTreeMap<String, String>, fifo: bool) -> Result<Self, ServiceError> {
        let mut settings = Self::default();
        for (name, value) in attributes {
            check(&name, &value, fifo).map_err(|reason| match reason {
                Some(reason) => invalid(format!("Attributes Reason: {reason}")),
                None => invalid(format!("Attributes Reason: Unknown attribute {name}")),
            })?;
            settings.values.insert(name, value);
        }
        Ok(settings)
    }

    /// Sets one of them.
    pub(super) fn set(&mut self, name: &str, value: &str, fifo: bool) -> Result<(), ServiceError> {
        check(name, value, fifo)
            .map_err(|reason| invalid(reason.unwrap_or_else(|| "AttributeName".to_owned())))?;
        self.values.insert(name.to_owned(), value.to_owned());
        Ok(())
    }

    /// Those that were set.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether these say nothing else than `others` do.
    pub(super) fn is_within(&self, others: &Self) -> bool {
        let default = |name: &str| (name == "ContentBasedDeduplication").then_some("false");
        self.iter().all(|(name, value)| others.value(name).or_else(|| default(name)) == Some(value))
    }

    /// The most bytes of a message, and of a batch.
    pub(super) fn max_bytes(&self) -> usize {
        self.value("MaximumMessageSize").and_then(|text| text.parse().ok()).unwrap_or(DEFAULT_BYTES)
    }

    pub(super) fn is_content_based(&self) -> bool {
        self.value("ContentBasedDeduplication") == Some("true")
    }

    /// Whether a deduplication id counts within its group only.
    pub(super) fn is_by_group(&self) -> bool {
        self.value("FifoThroughputScope") == Some("MessageGroup")
    }

    pub(super) fn signature_version(&self) -> &str {
        self.value("SignatureVersion").unwrap_or("1")
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }
}

/// Says what is wrong with an attribute; nothing but that it is wrong if there is none of that name.
fn check(name: &str, value: &str, fifo: bool) -> Result<(), Option<String>> {
    let one_of = |values: &[&str]| {
        let reason = || Some(format!("{name}: Invalid value [{value}]. Must be {}.", values.join(" or ")));
        values.contains(&value).then_some(()).ok_or_else(reason)
    };
    match name {
        "ContentBasedDeduplication" | "FifoThroughputScope" | "ArchivePolicy" if !fifo => {
            Err(Some(format!("{name} can only be set for FIFO topics")))
        }
        "ContentBasedDeduplication" => one_of(&["true", "false"]),
        "FifoThroughputScope" => one_of(&["Topic", "MessageGroup"]),
        "SignatureVersion" => one_of(&["1", "2"]),
        "MaximumMessageSize" => check_size(value),
        "DisplayName" if value.chars().count() > DISPLAY_NAME => Err(Some("DisplayName".to_owned())),
        _ if KEPT.contains(&name) || is_feedback(name) => Ok(()),
        _ => Err(None),
    }
}

fn check_size(value: &str) -> Result<(), Option<String>> {
    let allowed = value.parse().is_ok_and(|bytes| BYTES.contains(&bytes));
    let range = format!("{} to {}", BYTES.start(), BYTES.end());
    allowed
        .then_some(())
        .ok_or_else(|| Some(format!("MaximumMessageSize: Invalid value [{value}]. Must be {range}.")))
}

/// Whether it is about the logs of deliveries, such as `SQSSuccessFeedbackRoleArn`.
fn is_feedback(name: &str) -> bool {
    name.ends_with("FeedbackRoleArn") || name.ends_with("FeedbackSampleRate")
}
