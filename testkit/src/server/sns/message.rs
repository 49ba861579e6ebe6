//! A message: what is published, checked.

use queue_core::Attributes;
use serde_json::{Map, Value};

use super::super::error::ServiceError;
use super::super::sqs::sha256;
use super::attributes;
use super::form::Form;
use super::refusal::invalid;
use super::settings::Settings;

/// The longest subject and the longest id, in characters (Amazon SNS API Reference, `Publish`).
const SUBJECT: usize = 100;
const ID: usize = 128;

#[derive(Clone, Debug)]
pub(super) struct Message {
    /// What queues get: of a message with a text for each protocol theirs, or else the default.
    pub(super) body: String,
    pub(super) subject: Option<String>,
    pub(super) attributes: Attributes,
    /// Whether it came with a text for each protocol. Its attributes filter then, and are not sent (Amazon SNS Developer
    /// Guide, "Amazon SNS message attributes").
    pub(super) is_structured: bool,
    pub(super) group: Option<String>,
    /// Of a message to an ordered topic: given, or made from the content.
    pub(super) deduplication_id: Option<String>,
    pub(super) trace_header: Option<String>,
    /// What counts against the limit: the text as it came, and the attributes.
    pub(super) bytes: usize,
}

impl Message {
    /// Reads a message for a topic of these settings.
    ///
    /// # Errors
    /// What lets a whole batch fail: attributes, structure, group and deduplication id. The texts are checked by
    /// [`check`](Self::check).
    pub(super) fn read(
        form: &Form,
        settings: &Settings,
        fifo: bool,
        path: &str,
    ) -> Result<Self, ServiceError> {
        let text = form.required("Message")?;
        let is_structured = form.value("MessageStructure") == Some("json");
        let body = if is_structured { for_queues(text)? } else { text.to_owned() };
        let attributes = attributes::read(form, path)?;
        let group = id(form, "MessageGroupId")?;
        Ok(Self {
            subject: form.value("Subject").map(str::to_owned),
            deduplication_id: deduplication_id(form, settings, fifo, group.as_deref())?,
            trace_header: form.trace_header().map(str::to_owned),
            bytes: text.len() + attributes.size(),
            body,
            attributes,
            is_structured,
            group,
        })
    }

    /// Checks the texts.
    pub(super) fn check(&self) -> Result<(), ServiceError> {
        if self.body.is_empty() {
            return Err(invalid("Empty message"));
        }
        if !self.body.chars().all(is_legal) {
            return Err(invalid(
                "Message Reason: Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF",
            ));
        }
        let subject = self.subject.as_deref();
        if !subject.is_none_or(is_subject) {
            return Err(invalid("Subject"));
        }
        Ok(())
    }
}

/// Reads a text for each protocol: a JSON object of which `default` has to be a string.
fn for_queues(text: &str) -> Result<String, ServiceError> {
    let unread = |_| invalid("Message Structure - JSON message body failed to parse");
    let texts: Map<String, Value> = serde_json::from_str(text).map_err(unread)?;
    let text = |protocol: &str| texts.get(protocol).and_then(Value::as_str);
    let default = text("default");
    let default =
        default.ok_or_else(|| invalid("Message Structure - No default entry in JSON message body"))?;
    Ok(text("sqs").unwrap_or(default).to_owned())
}

fn deduplication_id(
    form: &Form,
    settings: &Settings,
    fifo: bool,
    group: Option<&str>,
) -> Result<Option<String>, ServiceError> {
    let given = id(form, "MessageDeduplicationId")?;
    match (fifo, given) {
        (false, None) => Ok(None),
        (false, Some(_)) => Err(invalid(
            "MessageDeduplicationId Reason: The request includes MessageDeduplicationId parameter that is not valid for \
             this topic type",
        )),
        (true, _) if group.is_none() => {
            Err(invalid("The MessageGroupId parameter is required for FIFO topics"))
        }
        (true, Some(given)) => Ok(Some(given)),
        (true, None) if settings.is_content_based() => Ok(form.value("Message").map(sha256)),
        (true, None) => Err(invalid(
            "The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
        )),
    }
}

fn id(form: &Form, name: &str) -> Result<Option<String>, ServiceError> {
    let Some(id) = form.value(name) else { return Ok(None) };
    let allowed = (1..=ID).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
    let reason = "Reason: it takes 1 to 128 alphanumeric and punctuation characters";
    allowed.then(|| Some(id.to_owned())).ok_or_else(|| invalid(format!("{name} {reason}")))
}

/// Without line breaks and control characters, and not empty.
fn is_subject(subject: &str) -> bool {
    (1..=SUBJECT).contains(&subject.chars().count()) && !subject.chars().any(char::is_control)
}

/// The characters of XML 1.0 (Amazon SNS FAQs, "What types of data can be sent?").
fn is_legal(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
