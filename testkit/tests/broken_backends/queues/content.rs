//! Queues that change what they carry.

use queue_core::{AttributeValue, Attributes, Message};

use super::broken::Broken;
use super::fault::Fault;
use crate::expected::Expected::{self, Exactly};

/// What a message looks like when it is received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Without the spaces around its body.
    Trimmed,
    /// With `\n` where `\r\n` was.
    LineEnds,
    /// With `?` for characters beyond U+FFFF.
    BasicPlane,
    /// With texts only for attributes.
    TextAttributes,
    /// Without labels.
    NoLabels,
    /// With attribute names in lower case.
    LowerCaseNames,
    /// From the second delivery on without attributes.
    OnceOnlyAttributes,
    /// With a receive count of one each time.
    CountOfOne,
    /// With extensions counted as deliveries.
    CountsExtensions,
}

pub(crate) const EXPECTED: &[(Content, Expected)] = &[
    (Content::Trimmed, Exactly(&["allowed_characters_come_back_byte_for_byte"])),
    (Content::LineEnds, Exactly(&["allowed_characters_come_back_byte_for_byte"])),
    (Content::BasicPlane, Exactly(&["characters_beyond_the_basic_plane_come_back"])),
    (
        Content::TextAttributes,
        Exactly(&[
            "a_message_moves_with_body_and_attributes_intact",
            "attributes_of_every_type_come_back",
            "labels_come_back",
        ]),
    ),
    (Content::NoLabels, Exactly(&["a_message_moves_with_body_and_attributes_intact", "labels_come_back"])),
    (Content::LowerCaseNames, Exactly(&["attribute_names_come_back"])),
    (Content::OnceOnlyAttributes, Exactly(&["a_message_comes_back_the_same_each_time"])),
    (
        Content::CountOfOne,
        Exactly(&[
            "an_extension_raises_no_receive_count",
            "deliveries_at_once_are_counted_one_by_one",
            "the_receive_count_rises_after_an_expiry_too",
            "the_receive_count_rises_by_one_with_each_delivery",
        ]),
    ),
    (Content::CountsExtensions, Exactly(&["an_extension_raises_no_receive_count"])),
];

/// What the queue makes of a message.
pub(crate) fn change(queue: &Broken, message: Message) -> Message {
    let Fault::Content(fault) = queue.fault else { return message };
    let count = message.receive_count();
    match fault {
        Content::Trimmed => with_body(&message, message.body().trim()),
        Content::LineEnds => with_body(&message, &message.body().replace("\r\n", "\n")),
        Content::BasicPlane => with_body(&message, &basic(message.body())),
        Content::OnceOnlyAttributes if count > 1 => message.with_attributes(Attributes::new()),
        Content::CountOfOne => message.with_receive_count(1),
        Content::CountsExtensions => {
            let extensions = queue.book.lock().unwrap().extensions(message.id());
            message.with_receive_count(count + extensions)
        }
        _ => {
            let attributes = message.attributes().iter().map(|(name, value)| attribute(fault, name, value));
            let attributes = attributes.collect();
            message.with_attributes(attributes)
        }
    }
}

fn basic(text: &str) -> String {
    text.chars().map(|character| if character > '\u{ffff}' { '?' } else { character }).collect()
}

fn with_body(message: &Message, body: &str) -> Message {
    Message::new(message.id().clone(), body)
        .with_attributes(message.attributes().clone())
        .with_receive_count(message.receive_count())
}

fn attribute(fault: Content, name: &str, value: &AttributeValue) -> (String, AttributeValue) {
    let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
    match fault {
        Content::TextAttributes => (name.to_owned(), AttributeValue::string(text)),
        Content::NoLabels if value.is_number() => (name.to_owned(), AttributeValue::number(text)),
        Content::NoLabels if value.as_str().is_some() => (name.to_owned(), AttributeValue::string(text)),
        Content::NoLabels => (name.to_owned(), AttributeValue::binary(value.as_bytes())),
        Content::LowerCaseNames => (name.to_lowercase(), value.clone()),
        _ => (name.to_owned(), value.clone()),
    }
}
