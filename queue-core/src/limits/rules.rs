//! The rules that a message has to keep; each says what is wrong, by how much, and what would be right.

use super::Limits;
use crate::Outgoing;

/// The most characters of a group key and of a deduplication id (`SendMessage` in the Amazon SQS API reference).
const MAX_ID: usize = 128;
/// The most characters of an attribute's name and type (Amazon SQS Developer Guide, "Message metadata").
const MAX_NAME: usize = 256;

type Check = Result<(), String>;

pub(super) fn body(_limits: &Limits, message: &Outgoing) -> Check {
    if message.body().is_empty() {
        return Err("the body is empty; it needs at least one character".to_owned());
    }
    characters("the body", message.body())
}

pub(super) fn size(limits: &Limits, message: &Outgoing) -> Check {
    let (size, most) = (message.size(), limits.message_bytes.min(limits.batch_bytes));
    if size > most {
        let attributes = message.attributes().size();
        return Err(format!(
            "the message has {size} bytes, {attributes} of them attributes; that is {} more than the {most} allowed",
            size - most
        ));
    }
    Ok(())
}

pub(super) fn attributes(limits: &Limits, message: &Outgoing) -> Check {
    let count = message.attributes().len();
    if count > limits.attributes {
        return Err(format!("the message has {count} attributes, {} are allowed", limits.attributes));
    }
    message.attributes().iter().try_for_each(|(name, value)| {
        attribute_name(name)?;
        attribute_type(name, &value.data_type())?;
        if value.as_bytes().is_empty() {
            return Err(format!("attribute {name:?} is empty; leave it out or give it a value"));
        }
        match value.as_str() {
            Some(text) if value.is_number() => number(name, text),
            Some(text) => characters(&format!("attribute {name:?}"), text),
            None => Ok(()),
        }
    })
}

pub(super) fn options(limits: &Limits, message: &Outgoing) -> Check {
    if let Some(delay) = message.delay()
        && delay > limits.max_delay
    {
        return Err(format!("the delay of {delay:?} is longer than the {:?} allowed", limits.max_delay));
    }
    if limits.ordered && message.group_key().is_none() {
        return Err("an ordered queue needs a group key on each message".to_owned());
    }
    if limits.ordered && message.delay().is_some() {
        return Err("an ordered queue takes no delay on a single message, only one of the queue".to_owned());
    }
    if !limits.ordered && message.deduplication_id().is_some() {
        return Err("a deduplication id needs an ordered queue; this one is standard".to_owned());
    }
    id("the group key", message.group_key())?;
    id("the deduplication id", message.deduplication_id())
}

/// The characters that queue services take: XML 1.0's (`SendMessage` in the Amazon SQS API reference; P46).
fn characters(what: &str, text: &str) -> Check {
    let illegal = |c: char| !matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..);
    match text.char_indices().find(|&(_, c)| illegal(c)) {
        Some((at, c)) => {
            Err(format!("{what} has U+{:04X} at byte {at}, which queue services refuse", u32::from(c)))
        }
        None => Ok(()),
    }
}

fn attribute_name(name: &str) -> Check {
    let refuse = |rule: &str| Err(format!("attribute name {name:?} {rule}"));
    if name.is_empty() || name.len() > MAX_NAME {
        return refuse(&format!("has {} characters; 1 to {MAX_NAME} are allowed", name.len()));
    }
    if !name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)) {
        return refuse("has a character outside A-Z a-z 0-9 _ - .");
    }
    if name.starts_with('.') || name.ends_with('.') || name.contains("..") {
        return refuse("has a dot first, last or doubled");
    }
    let reserved = ["aws.", "amazon."].iter().any(|prefix| name.to_ascii_lowercase().starts_with(prefix));
    if reserved { refuse("starts with AWS. or Amazon., which are reserved") } else { Ok(()) }
}

fn attribute_type(name: &str, data_type: &str) -> Check {
    if data_type.len() > MAX_NAME {
        return Err(format!(
            "the type of attribute {name:?} has {} characters, {MAX_NAME} are allowed",
            data_type.len()
        ));
    }
    if !data_type.chars().all(|c| c.is_ascii_graphic()) {
        return Err(format!(
            "the type {data_type:?} of attribute {name:?} is not of printable ASCII characters"
        ));
    }
    Ok(())
}

fn number(name: &str, text: &str) -> Check {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(()),
        _ => Err(format!("attribute {name:?} is {text:?}, which is not a number in decimal notation")),
    }
}

fn id(what: &str, id: Option<&str>) -> Check {
    let Some(id) = id else { return Ok(()) };
    if id.is_empty() || id.len() > MAX_ID {
        return Err(format!("{what} has {} characters; 1 to {MAX_ID} are allowed", id.len()));
    }
    match id.chars().find(|c| !c.is_ascii_graphic()) {
        Some(c) => Err(format!("{what} has {c:?}; letters, digits and ASCII punctuation are allowed")),
        None => Ok(()),
    }
}
