//! The envelope: what a topic puts around a message for subscribers that don't take it raw.
//!
//! It is the JSON of an Amazon SNS notification (Amazon SNS Developer Guide, "Parsing message formats"), without the
//! signature: whoever can write to the queue can write an envelope, so it proves nothing about who sent it.

use std::time::SystemTime;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use humantime::format_rfc3339_millis;
use serde_json::{Map, Value, json};

use crate::{AttributeValue, Attributes, MessageId, Outgoing};

/// What an envelope adds at most: the names of its fields, the time, and the longest message id, each character of it
/// escaped.
const FRAME: usize = 512;
/// What it adds to each attribute at most: `"":{"Type":"","Value":""},` and the padding of base64.
const ATTRIBUTE: usize = 32;

/// Wraps a message that was published to `topic` at `at`: attributes travel inside.
pub(crate) fn wrap(message: &Outgoing, id: &MessageId, topic: &str, at: SystemTime) -> String {
    let mut envelope = json!({
        "Type": "Notification",
        "MessageId": id.as_str(),
        "TopicArn": topic,
        "Message": message.body(),
        "Timestamp": format_rfc3339_millis(at).to_string(),
    });
    if !message.attributes().is_empty() {
        let attributes = message.attributes().iter().map(|(name, value)| (name.to_owned(), write(value)));
        envelope["MessageAttributes"] = attributes.collect::<Map<_, _>>().into();
    }
    envelope.to_string()
}

/// How many bytes a legal message may have, so that its envelope never has more than `most`.
///
/// JSON at most doubles a legal text, as it escapes five of the legal characters, each by two; base64 does less.
pub(crate) fn room(most: usize, attributes: usize, topic: &str) -> usize {
    let frame = FRAME + Value::from(topic).to_string().len();
    most.saturating_sub(frame.saturating_add(attributes.saturating_mul(ATTRIBUTE))) / 2
}

/// What was in an envelope. The id is the publisher's if it named one: a service gives a message that is published again
/// another one of its own.
#[derive(Debug)]
pub(crate) struct Unwrapping {
    pub(crate) id: MessageId,
    pub(crate) body: String,
    pub(crate) attributes: Attributes,
}

/// Unwraps a body; `None` if it is no envelope, or one with an attribute that can't be read. Fields of the signature, and
/// any that are new, are not read.
pub(crate) fn unwrap(body: &str) -> Option<Unwrapping> {
    let mut envelope: Map<String, Value> = serde_json::from_str(body).ok()?;
    if envelope.get("Type")? != "Notification" {
        return None;
    }
    envelope.get("TopicArn")?.as_str()?;
    let Value::String(body) = envelope.remove("Message")? else { return None };
    let attributes = match envelope.get("MessageAttributes") {
        None => Attributes::new(),
        Some(attributes) => read_all(attributes)?,
    };
    let id = MessageId::new(envelope.get("MessageId")?.as_str()?);
    Some(Unwrapping { id: attributes.message_id().unwrap_or(id), body, attributes })
}

fn read_all(attributes: &Value) -> Option<Attributes> {
    attributes.as_object()?.iter().map(|(name, value)| Some((name.as_str(), read(value)?))).collect()
}

fn write(value: &AttributeValue) -> Value {
    let text = value.as_str().map_or_else(|| STANDARD.encode(value.as_bytes()), str::to_owned);
    json!({ "Type": value.data_type(), "Value": text })
}

fn read(attribute: &Value) -> Option<AttributeValue> {
    let (data_type, text) = (attribute.get("Type")?.as_str()?, attribute.get("Value")?.as_str()?);
    let (base, label) = match data_type.split_once('.') {
        Some((base, label)) => (base, Some(label)),
        None => (data_type, None),
    };
    let value = match base {
        "String" => AttributeValue::string(text),
        "Number" => AttributeValue::number(text),
        "Binary" => AttributeValue::binary(STANDARD.decode(text).ok()?),
        _ => return None,
    };
    Some(label.into_iter().fold(value, AttributeValue::with_label))
}

#[cfg(test)]
mod tests;
