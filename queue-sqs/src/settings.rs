//! How a queue is set up: one that is to be made, or one that can't be asked.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_sqs::types::QueueAttributeName;
use queue_core::{Limits, QueueError, ReceiveLimits};
use serde_json::{Value, json};

use crate::SqsQueue;
use crate::convert::seconds;
use crate::record::{FIFO, QueueAttributes};

/// `MessageRetentionPeriod` of `CreateQueue` in the Amazon SQS API reference: 60 s to 14 days.
const RETENTION: RangeInclusive<Duration> = Duration::from_mins(1)..=Duration::from_hours(14 * 24);
/// `MaximumMessageSize` of `CreateQueue`: 1,024 to 1,048,576 bytes.
const MESSAGE_BYTES: RangeInclusive<usize> = 1_024..=1_048_576;
/// `maxReceiveCount` of `RedrivePolicy` of `CreateQueue`: 1 to 1,000.
const MAX_RECEIVE_COUNT: RangeInclusive<u32> = 1..=1_000;

/// How a queue is set up. What is not set is by the defaults of Amazon SQS.
///
/// Whether it is a FIFO queue is not set here: it is if its name ends in `.fifo`.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct SqsQueueSettings {
    visibility: Option<Duration>,
    retention: Option<Duration>,
    delay: Option<Duration>,
    message_bytes: Option<usize>,
    content_deduplication: bool,
    dead_letter: Option<DeadLetter>,
    others: HashMap<QueueAttributeName, String>,
}

#[derive(Clone, Debug)]
struct DeadLetter {
    name: Arc<str>,
    arn: Option<Arc<str>>,
    max_receive_count: u32,
}

impl SqsQueueSettings {
    /// Sets nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the visibility timeout of receives that name none: 0 s to 12 h, 30 s by default. Begun seconds count as
    /// whole ones, here and in the other durations.
    pub fn with_visibility(mut self, visibility: Duration) -> Self {
        self.visibility = Some(visibility);
        self
    }

    /// Sets how long a message is kept: 60 s to 14 days, 4 days by default (Q10). The service counts nothing of what it
    /// throws away; its metric `ApproximateAgeOfOldestMessage` warns.
    pub fn with_retention(mut self, retention: Duration) -> Self {
        self.retention = Some(retention);
        self
    }

    /// Sets the delay of messages that name none: 0 s to 15 min, 0 s by default.
    pub fn with_delay(mut self, delay: Duration) -> Self {
        self.delay = Some(delay);
        self
    }

    /// Sets how many bytes a message has at most, attributes included: 1,024 to 1,048,576, the latter by default.
    pub fn with_message_bytes(mut self, bytes: usize) -> Self {
        self.message_bytes = Some(bytes);
        self
    }

    /// Lets a FIFO queue tell messages apart by their bodies where they carry no deduplication id (Q9).
    pub fn with_content_deduplication(mut self) -> Self {
        self.content_deduplication = true;
        self
    }

    /// Moves messages to `queue`, of the same kind and in the same region, instead of delivering them more often than
    /// `max_receive_count` times: 1 to 1,000 (Q7).
    pub fn with_dead_letter(mut self, queue: &SqsQueue, max_receive_count: u32) -> Self {
        let record = &queue.shared.record;
        let (name, arn) = (Arc::clone(&record.name), record.arn.clone());
        self.dead_letter = Some(DeadLetter { name, arn, max_receive_count });
        self
    }

    /// Sets any other attribute of `CreateQueue` by its name there, such as `KmsMasterKeyId` or `FifoThroughputLimit`. A
    /// queue that is there already is not held against it.
    pub fn with_attribute(mut self, name: &str, value: impl Into<String>) -> Self {
        self.others.insert(name.into(), value.into());
        self
    }

    /// All attributes that a queue of that name is made with.
    pub(crate) fn attributes(&self, name: &str) -> Result<QueueAttributes, QueueError> {
        let mut attributes = self.others.clone();
        attributes.extend(self.own(name)?);
        if name.ends_with(FIFO) {
            attributes.insert(QueueAttributeName::FifoQueue, "true".to_owned());
        }
        Ok(attributes)
    }

    /// The attributes that were set by a method of their own, checked.
    fn own(&self, name: &str) -> Result<QueueAttributes, QueueError> {
        use QueueAttributeName as Name;
        let hidden = Duration::ZERO..=ReceiveLimits::default().max_visibility;
        let delayed = Duration::ZERO..=Limits::default().max_delay;
        let secs = |what, value: Option<Duration>, range| {
            within(what, value, &range).map(|value| value.map(|value| seconds(value).to_string()))
        };
        let own = [
            (Name::VisibilityTimeout, secs("the visibility timeout", self.visibility, hidden)?),
            (Name::MessageRetentionPeriod, secs("the retention", self.retention, RETENTION)?),
            (Name::DelaySeconds, secs("the delay", self.delay, delayed)?),
            (Name::MaximumMessageSize, self.size()?.map(|bytes| bytes.to_string())),
            (Name::ContentBasedDeduplication, self.by_content(name)?),
            (Name::RedrivePolicy, self.redrive_policy(name)?),
        ];
        Ok(own.into_iter().filter_map(|(name, value)| Some((name, value?))).collect())
    }

    fn size(&self) -> Result<Option<usize>, QueueError> {
        within("the maximum message size", self.message_bytes, &MESSAGE_BYTES)
    }

    fn by_content(&self, name: &str) -> Result<Option<String>, QueueError> {
        if self.content_deduplication && !name.ends_with(FIFO) {
            let why = format!("deduplication by content needs a FIFO queue; {name:?} doesn't end in {FIFO}");
            return Err(QueueError::permanent(why));
        }
        Ok(self.content_deduplication.then(|| "true".to_owned()))
    }

    fn redrive_policy(&self, name: &str) -> Result<Option<String>, QueueError> {
        let Some(DeadLetter { name: dead, arn, max_receive_count: most }) = &self.dead_letter else {
            return Ok(None);
        };
        within("the maximum receive count", Some(*most), &MAX_RECEIVE_COUNT)?;
        if **dead == *name {
            return Err(QueueError::permanent("a queue can't be its own dead-letter queue"));
        }
        if dead.ends_with(FIFO) != name.ends_with(FIFO) {
            let why = format!("the dead-letter queue {dead:?} and {name:?} have to be both FIFO, or neither");
            return Err(QueueError::permanent(why));
        }
        let Some(arn) = arn else {
            let why =
                format!("the ARN of the dead-letter queue {dead:?} is not known: it was built by `assume`");
            return Err(QueueError::permanent(why));
        };
        Ok(Some(json!({ "deadLetterTargetArn": **arn, "maxReceiveCount": most }).to_string()))
    }

    /// The first setting that the queue has otherwise, in words.
    pub(crate) fn conflict(&self, name: &str, found: &QueueAttributes) -> Result<Option<String>, QueueError> {
        let own = self.own(name)?;
        let differing = own.iter().find(|(name, wished)| !same(Some(wished), found.get(name)));
        Ok(differing.map(|(name, wished)| {
            let is = found.get(name).map_or("not set", String::as_str);
            format!("its {name} is {is}, {wished} was asked for")
        }))
    }
}

fn within<T>(what: &str, value: Option<T>, range: &RangeInclusive<T>) -> Result<Option<T>, QueueError>
where
    T: PartialOrd + std::fmt::Debug + Copy,
{
    match value {
        Some(value) if !range.contains(&value) => {
            let why = format!("{what} is {value:?}; {:?} to {:?} are allowed", range.start(), range.end());
            Err(QueueError::permanent(why))
        }
        _ => Ok(value),
    }
}

/// Whether two attributes mean the same: policies are JSON, whose numbers some services answer as text.
fn same(one: Option<&String>, other: Option<&String>) -> bool {
    let meaning = |text: &String| serde_json::from_str(text).map_or_else(|_| json!(text), flat);
    one.map(meaning) == other.map(meaning)
}

/// Its numbers, in the first level, as text.
fn flat(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, flat(value))).collect(),
        Value::Number(number) => Value::String(number.to_string()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    #[test]
    fn what_the_service_would_refuse_is_refused_before_it_is_asked() {
        let new = SqsQueueSettings::new;
        for (settings, word) in [
            (new().with_visibility(HOUR * 13), "visibility"),
            (new().with_retention(Duration::from_secs(59)), "retention"),
            (new().with_delay(HOUR), "delay"),
            (new().with_message_bytes(1_048_577), "size"),
            (new().with_content_deduplication(), "FIFO"),
        ] {
            let error = settings.attributes("plain").unwrap_err();
            assert!(error.message().contains(word), "{error}");
        }
    }

    #[test]
    fn a_name_that_ends_in_fifo_makes_a_fifo_queue() {
        let attributes = SqsQueueSettings::new().with_content_deduplication().attributes("a.fifo").unwrap();
        assert_eq!(attributes[&QueueAttributeName::FifoQueue], "true");
        assert_eq!(SqsQueueSettings::new().attributes("a").unwrap(), HashMap::new());
    }

    #[test]
    fn a_conflict_is_told_from_the_same_value_in_other_words() {
        let text = |text: &str| text.to_owned();
        assert!(same(Some(&text("30")), Some(&text("30"))) && !same(Some(&text("30")), Some(&text("31"))));
        let policy = r#"{"maxReceiveCount":"3", "deadLetterTargetArn":"arn:x"}"#;
        assert!(same(
            Some(&text(policy)),
            Some(&text(r#"{"deadLetterTargetArn":"arn:x","maxReceiveCount":3}"#))
        ));
        let settings = SqsQueueSettings::new().with_visibility(HOUR).with_attribute("Policy", "{}");
        let found = [(QueueAttributeName::VisibilityTimeout, text("30"))].into();
        let conflict = settings.conflict("a", &found).unwrap().unwrap();
        assert_eq!(conflict, "its VisibilityTimeout is 30, 3600 was asked for");
    }
}
