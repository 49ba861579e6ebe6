//! A message as the memory queue stores it: with attributes of the service's own, which no caller sees.

use std::sync::LazyLock;

use queue_core::{AttributeValue, Attributes, Message, MessageId, Outgoing};
use uuid::Uuid;

use super::content::Content;
use super::digest;
use super::settings::Settings;

/// What the names of the service's own attributes begin with. It is another one in each program, so that no caller's
/// attribute is called so.
static PREFIX: LazyLock<String> = LazyLock::new(|| format!("service-{}.", Uuid::new_v4()));
const SOURCE: &str = "source";
const DEDUPLICATION: &str = "deduplication";
const TRACE: &str = "trace";

/// Where sequence numbers begin: at the service they have 20 digits.
const FIRST_NUMBER: u128 = 18_850_000_000_000_000_000;
const NUMBER_STEP: u128 = 256;
/// The last group of a memory queue's message id counts the queue's messages.
const COUNTING_BITS: u32 = 48;

/// Makes a message ready for the queue with this ARN.
pub(super) fn outgoing(content: Content, source_arn: &str, settings: &Settings) -> Outgoing {
    let attributes = with_own(&content, source_arn);
    let mut outgoing = Outgoing::new(content.body).with_attributes(attributes);
    if let Some(delay) = content.delay {
        outgoing = outgoing.with_delay(delay);
    }
    if let Some(id) = content.deduplication_id {
        outgoing = outgoing.with_deduplication_id(identity(id, content.group.as_deref(), settings));
    }
    match content.group {
        Some(group) => outgoing.with_group_key(group),
        None => outgoing,
    }
}

/// The caller's attributes and the service's own.
fn with_own(content: &Content, source_arn: &str) -> Attributes {
    let mut attributes = content.attributes.clone();
    set(&mut attributes, SOURCE, source_arn);
    if let Some(header) = content.trace_header.as_ref().and_then(AttributeValue::as_str) {
        set(&mut attributes, TRACE, header);
    }
    if let Some(id) = &content.deduplication_id {
        set(&mut attributes, DEDUPLICATION, id);
    }
    attributes
}

/// Makes a stored message ready for the queue with this ARN, as a new one.
pub(super) fn moved(message: &Message, to_arn: &str, fifo: bool) -> Outgoing {
    let mut attributes = message.attributes().clone();
    set(&mut attributes, SOURCE, to_arn);
    let outgoing = message.to_outgoing().with_attributes(attributes);
    // It is no duplicate of what it was.
    if fifo { outgoing.with_deduplication_id(Uuid::new_v4().to_string()) } else { outgoing }
}

/// The attributes that the caller gave.
pub(super) fn attributes(message: &Message) -> impl Iterator<Item = (&str, &AttributeValue)> {
    message.attributes().iter().filter(|(name, _)| !name.starts_with(PREFIX.as_str()))
}

/// The queue that it was sent to first.
pub(super) fn source(message: &Message) -> Option<&str> {
    text(message, SOURCE)
}

pub(super) fn deduplication_id(message: &Message) -> Option<&str> {
    text(message, DEDUPLICATION)
}

pub(super) fn trace_header(message: &Message) -> Option<&str> {
    text(message, TRACE)
}

/// The number that the service gives a message of an ordered queue: it rises, and a duplicate has its first one's.
pub(super) fn sequence_number(id: &MessageId) -> String {
    let id = Uuid::try_parse(id.as_str()).map_or(0, |id| id.as_u128());
    (FIRST_NUMBER + (id & ((1 << COUNTING_BITS) - 1)) * NUMBER_STEP).to_string()
}

/// What tells the message from others: its id, within its group where ids count for each group.
fn identity(id: String, group: Option<&str>, settings: &Settings) -> String {
    match group {
        Some(group) if settings.deduplicates_by_group() => digest::sha256(&format!("{group}\n{id}")),
        _ => id,
    }
}

fn set(attributes: &mut Attributes, name: &str, text: &str) {
    attributes.insert(format!("{}{name}", *PREFIX), AttributeValue::string(text));
}

fn text<'a>(message: &'a Message, name: &str) -> Option<&'a str> {
    message.attributes().text(&format!("{}{name}", *PREFIX))
}
