//! Content: what a call asks to store, checked as the service does.

use std::time::Duration;

use queue_core::{AttributeValue, Attributes};
use serde::Deserialize;

use super::settings::Settings;
use super::value::{self, WireValues};
use super::{Copy, characters, digest, refusal};
use crate::server::error::ServiceError;

/// The longest delay of one message, in seconds (Amazon SQS API Reference, `SendMessage`).
const LONGEST_DELAY: i64 = 900;

/// A message as a call carries it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Entry {
    pub(super) id: Option<String>,
    message_body: Option<String>,
    #[serde(default)]
    message_attributes: Option<WireValues>,
    #[serde(default)]
    message_system_attributes: Option<WireValues>,
    delay_seconds: Option<i64>,
    message_group_id: Option<String>,
    message_deduplication_id: Option<String>,
}

/// A message that the service takes.
#[derive(Clone, Debug)]
pub(super) struct Content {
    pub(super) body: String,
    pub(super) attributes: Attributes,
    pub(super) trace_header: Option<AttributeValue>,
    pub(super) delay: Option<Duration>,
    pub(super) group: Option<String>,
    pub(super) deduplication_id: Option<String>,
}

impl Content {
    /// What a topic sends, whose attributes the topic has checked.
    pub(super) fn of_topic(copy: Copy, settings: &Settings) -> Result<Self, ServiceError> {
        let entry = Entry {
            id: None,
            message_body: Some(copy.body),
            message_attributes: None,
            message_system_attributes: None,
            delay_seconds: None,
            message_group_id: copy.group,
            message_deduplication_id: copy.deduplication_id.filter(|_| settings.fifo),
        };
        let content = entry.into_content(settings)?;
        check_size(content.body.len() + copy.attributes.size(), settings)?;
        let trace_header = copy.trace_header.map(AttributeValue::string);
        Ok(Self { attributes: copy.attributes, trace_header, ..content })
    }
}

impl Entry {
    /// The bytes that count against the limits: the body, and the attributes' names, types and values (P49).
    pub(super) fn size(&self) -> usize {
        let attributes = self.message_attributes.iter().flatten();
        let attributes = attributes.map(|(name, value)| name.len() + value.size());
        self.message_body.as_deref().unwrap_or_default().len() + attributes.sum::<usize>()
    }

    /// What an ordered queue refuses the whole batch for.
    pub(super) fn check_for_batch(&self, settings: &Settings) -> Result<(), ServiceError> {
        if !settings.fifo {
            return Ok(());
        }
        if self.message_group_id.is_none() {
            return Err(refusal::invalid("The request must contain the parameter MessageGroupId."));
        }
        self.check_identity(settings)
    }

    /// Checks all of it.
    pub(super) fn into_content(self, settings: &Settings) -> Result<Content, ServiceError> {
        let body = self.message_body.as_deref().unwrap_or_default();
        if body.is_empty() {
            return Err(refusal::missing("MessageBody"));
        }
        check_size(self.size(), settings)?;
        characters::check(body)?;
        let attributes = value::read_all(self.message_attributes.as_ref().unwrap_or(&WireValues::new()))?;
        let trace_header = self.trace_header()?;
        let delay = self.delay(settings)?;
        self.check_ids(settings)?;
        let deduplication_id = self.deduplication_id(settings);
        Ok(Content {
            attributes,
            trace_header,
            delay,
            group: self.message_group_id,
            deduplication_id,
            body: self.message_body.unwrap_or_default(),
        })
    }

    fn trace_header(&self) -> Result<Option<AttributeValue>, ServiceError> {
        let Some(values) = &self.message_system_attributes else { return Ok(None) };
        if let Some(name) = values.keys().find(|name| *name != "AWSTraceHeader") {
            return Err(refusal::invalid(format!("Message system attribute name '{name}' is invalid.")));
        }
        values.get("AWSTraceHeader").map(|value| value::read_system("AWSTraceHeader", value)).transpose()
    }

    fn delay(&self, settings: &Settings) -> Result<Option<Duration>, ServiceError> {
        match self.delay_seconds {
            Some(0) if settings.fifo => Ok(None),
            Some(seconds) if settings.fifo => Err(refusal::not_for_this_type(seconds, "DelaySeconds")),
            Some(seconds) => delay(seconds).map(Some),
            None => Ok(None),
        }
    }

    fn check_ids(&self, settings: &Settings) -> Result<(), ServiceError> {
        characters::check_id("MessageGroupId", self.message_group_id.as_deref())?;
        if settings.fifo && self.message_group_id.is_none() {
            return Err(refusal::missing("MessageGroupId"));
        }
        if let (false, Some(id)) = (settings.fifo, &self.message_deduplication_id) {
            return Err(refusal::not_for_this_type(id, "MessageDeduplicationId"));
        }
        characters::check_id("MessageDeduplicationId", self.message_deduplication_id.as_deref())?;
        self.check_identity(settings)
    }

    fn check_identity(&self, settings: &Settings) -> Result<(), ServiceError> {
        if settings.fifo && !settings.deduplicates_by_content() && self.message_deduplication_id.is_none() {
            return Err(refusal::invalid(
                "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
            ));
        }
        Ok(())
    }

    fn deduplication_id(&self, settings: &Settings) -> Option<String> {
        let by_content = || digest::sha256(self.message_body.as_deref().unwrap_or_default());
        settings.fifo.then(|| self.message_deduplication_id.clone().unwrap_or_else(by_content))
    }
}

fn delay(seconds: i64) -> Result<Duration, ServiceError> {
    let delay = u64::try_from(seconds).ok().filter(|_| seconds <= LONGEST_DELAY);
    delay.map(Duration::from_secs).ok_or_else(|| {
        refusal::invalid_value(seconds, "DelaySeconds", "DelaySeconds must be >= 0 and <= 900.")
    })
}

fn check_size(bytes: usize, settings: &Settings) -> Result<(), ServiceError> {
    let most = settings.message_bytes();
    if bytes <= most {
        return Ok(());
    }
    let message =
        format!("One or more parameters are invalid. Reason: Message must be shorter than {most} bytes.");
    Err(refusal::invalid(message))
}
