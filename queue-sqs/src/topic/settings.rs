//! How a topic is set up: one that is to be made, or one that can't be asked.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::time::Duration;

use queue_core::{Limits, QueueError};

use crate::record::FIFO;

/// `MaximumMessageSize` of `CreateTopic` in the Amazon SNS API reference: 1,024 to 1,048,576 bytes, 262,144 by default.
const MESSAGE_BYTES: RangeInclusive<usize> = 1_024..=1_048_576;
const DEFAULT_MESSAGE_BYTES: usize = 262_144;
/// The most characters of a topic's name (`CreateTopic`).
const LONGEST_NAME: usize = 256;
/// The names of attributes as the service has them.
const BYTES: &str = "MaximumMessageSize";
const BY_CONTENT: &str = "ContentBasedDeduplication";

/// A topic's attributes by name, as the service has them.
pub(super) type TopicAttributes = HashMap<String, String>;

/// How a topic is set up. What is not set is by the defaults of Amazon SNS.
///
/// Whether it is a FIFO topic is not set here: it is if its name ends in `.fifo`.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct SnsTopicSettings {
    content_deduplication: bool,
    message_bytes: Option<usize>,
    others: TopicAttributes,
}

impl SnsTopicSettings {
    /// Sets nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets a FIFO topic tell messages apart by their bodies where they carry no deduplication id (Q9).
    pub fn with_content_deduplication(mut self) -> Self {
        self.content_deduplication = true;
        self
    }

    /// Sets how many bytes a message has at most, and a batch too, attributes included: 1,024 to 1,048,576, by default
    /// 262,144. Above that a topic can have 100 subscriptions, and those of queues, functions and delivery streams only
    /// (`CreateTopic` in the Amazon SNS API reference).
    pub fn with_message_bytes(mut self, bytes: usize) -> Self {
        self.message_bytes = Some(bytes);
        self
    }

    /// Sets any other attribute of `CreateTopic` by its name there, such as `KmsMasterKeyId` or `FifoThroughputScope`.
    /// A topic that is there already is not held against it.
    pub fn with_attribute(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.others.insert(name.into(), value.into());
        self
    }

    /// All attributes that a topic of that name is made with.
    pub(super) fn attributes(&self, name: &str) -> Result<TopicAttributes, QueueError> {
        let mut attributes = self.others.clone();
        attributes.extend(self.own(name)?);
        if is_fifo(name) {
            attributes.insert("FifoTopic".to_owned(), "true".to_owned());
        }
        Ok(attributes)
    }

    /// The attributes that were set by a method of their own, checked.
    fn own(&self, name: &str) -> Result<TopicAttributes, QueueError> {
        let (least, most) = (MESSAGE_BYTES.start(), MESSAGE_BYTES.end());
        if let Some(bytes) = self.message_bytes.filter(|bytes| !MESSAGE_BYTES.contains(bytes)) {
            return refuse(format!("the maximum message size is {bytes}; {least} to {most} are allowed"));
        }
        if self.content_deduplication && !is_fifo(name) {
            return refuse(format!(
                "deduplication by content needs a FIFO topic; {name:?} doesn't end in {FIFO}"
            ));
        }
        let own = [
            (BYTES, self.message_bytes.map(|bytes| bytes.to_string())),
            (BY_CONTENT, self.content_deduplication.then(|| "true".to_owned())),
        ];
        Ok(own.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect())
    }

    /// The first setting that the topic has otherwise, in words.
    pub(super) fn conflict(&self, name: &str, found: &TopicAttributes) -> Result<Option<String>, QueueError> {
        let own = self.own(name)?;
        let differing = own.iter().find(|(name, wished)| found.get(*name) != Some(wished));
        Ok(differing.map(|(name, wished)| {
            let is = found.get(name).map_or("not set", String::as_str);
            format!("its {name} is {is}, {wished} was asked for")
        }))
    }
}

/// What can be published to a topic of this ARN with these attributes. They hold for raw copies, too: with more than ten
/// attributes the service discards these (Amazon SNS Developer Guide, "Message attributes"; P52).
pub(super) fn limits(arn: &str, attributes: &TopicAttributes) -> Result<Limits, QueueError> {
    let bytes = attributes.get(BYTES).map_or(Ok(DEFAULT_MESSAGE_BYTES), |bytes| {
        bytes.parse().map_err(|_| {
            QueueError::indeterminate(format!(
                "the service says that a topic's {BYTES} is {bytes:?}, which is no number"
            ))
        })
    })?;
    let mut limits = Limits::default().with_message_bytes(bytes).with_ordered(is_fifo(arn));
    limits.max_delay = Duration::ZERO;
    Ok(limits)
}

/// Whether a topic with these attributes tells messages apart by their bodies.
pub(super) fn is_by_content(attributes: &TopicAttributes) -> bool {
    attributes.get(BY_CONTENT).is_some_and(|value| value == "true")
}

/// Whether a topic of this name, or ARN, is a FIFO topic: as with queues, the names of these end so and no others.
pub(super) fn is_fifo(name: &str) -> bool {
    name.ends_with(FIFO)
}

/// Checks a topic's name: letters, digits, `-` and `_`, and `.fifo` at the end of a FIFO topic's.
pub(super) fn check_name(name: &str) -> Result<(), QueueError> {
    let characters = name.strip_suffix(FIFO).unwrap_or(name);
    if name.len() > LONGEST_NAME || characters.is_empty() {
        return refuse(format!(
            "the name of a topic has 1 to {LONGEST_NAME} characters, {name:?} has {}",
            name.len()
        ));
    }
    match characters.chars().find(|c| !c.is_ascii_alphanumeric() && !"-_".contains(*c)) {
        Some(c) => {
            refuse(format!("the name of a topic has letters, digits, `-` and `_`; {name:?} has {c:?}"))
        }
        None => Ok(()),
    }
}

fn refuse<T>(reason: String) -> Result<T, QueueError> {
    Err(QueueError::permanent(reason))
}

#[cfg(test)]
mod tests;
