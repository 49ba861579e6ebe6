//! Content: what comes out is what went in.

use queue_core::{AttributeValue, Outgoing};

use super::QueueClause;
use super::QueuePromise::{FullUnicode, LongNames};
use super::case::Case;
use super::subject::{Subject, bodies};
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(allowed_characters_come_back_byte_for_byte),
        Clause::of(characters_beyond_the_basic_plane_come_back).when(FullUnicode),
        Clause::of(attributes_of_every_type_come_back),
        Clause::of(labels_come_back),
        Clause::of(attribute_names_come_back).when(LongNames),
        Clause::of(equal_messages_are_different_messages),
        Clause::of(a_message_comes_back_the_same_each_time),
    ]
}

/// Bodies that encoders and decoders stumble over.
const TRICKY: [&str; 8] = [
    "\ttab, carriage return \r and line feed \n, mixed \r\n",
    " spaces around ",
    "\n",
    "<a href=\"x\">&amp; & ' %20 + \\n \\u0041</a>",
    "{\"json\": [1, null, \"\\\"\"]}",
    "ä ß é 漢字 עברית \u{d7ff}\u{e000}\u{fffd}",
    "a\u{301} is not á, \u{200b}nor is \u{feff}this nothing\u{7f}\u{85}\u{2028}",
    "aGVsbG8=",
];

async fn comes_back(queue: &Subject, message: Outgoing) {
    queue.send(message.clone()).await;
    let got = queue.take_one().await;
    assert_eq!(got.message().body(), message.body());
    for (name, value) in message.attributes().iter() {
        let back = got.message().attributes().get(name);
        assert_eq!(back.map(AttributeValue::data_type), Some(value.data_type()), "type of {name}");
        assert_eq!(back.map(AttributeValue::as_bytes), Some(value.as_bytes()), "value of {name}");
    }
    got.ack().await.expect("what is held can be deleted");
}

/// Q11: in bodies and in attributes.
async fn allowed_characters_come_back_byte_for_byte(case: Case) {
    let queue = case.queue().await;
    for text in TRICKY {
        comes_back(&queue, Outgoing::new(text).with_attribute("text", text)).await;
    }
}

/// Q11: four bytes in UTF-8, two units in UTF-16.
async fn characters_beyond_the_basic_plane_come_back(case: Case) {
    let queue = case.queue().await;
    for text in ["\u{10000}", "🦀 crab", "👩‍👩‍👧 family", "\u{10fffd}\u{10ffff}"] {
        comes_back(&queue, Outgoing::new(text).with_attribute("text", text)).await;
    }
}

/// Q11: text as text, digits as written, bytes as bytes.
async fn attributes_of_every_type_come_back(case: Case) {
    let queue = case.queue().await;
    let message = Outgoing::new("a")
        .with_attribute("text", "12")
        .with_attribute("number", AttributeValue::number("-1.50"))
        .with_attribute("large", AttributeValue::number(u64::MAX))
        .with_attribute("bytes", AttributeValue::binary((0..=255).collect::<Vec<u8>>()));
    comes_back(&queue, message).await;
}

/// Q11: behind each type.
async fn labels_come_back(case: Case) {
    let queue = case.queue().await;
    let message = Outgoing::new("a")
        .with_attribute("text", AttributeValue::string("de").with_label("language"))
        .with_attribute("number", AttributeValue::number(3).with_label("int.32"))
        .with_attribute("bytes", AttributeValue::binary([137, 80]).with_label("png"));
    comes_back(&queue, message).await;
}

/// Q11: in their case, with every character that is allowed, and as long as they may be.
async fn attribute_names_come_back(case: Case) {
    let queue = case.queue().await;
    let long = "n".repeat(256);
    let message = Outgoing::new("a")
        .with_attribute("abc", "lower case")
        .with_attribute("ABC", "upper case")
        .with_attribute("x_1-2.3", "every kind")
        .with_attribute(long, "long");
    comes_back(&queue, message).await;
}

/// Q3: without a deduplication id nothing is taken for a repetition.
async fn equal_messages_are_different_messages(case: Case) {
    let queue = case.queue().await;
    let ids = queue.send_all(&["same".to_owned(), "same".to_owned()]).await;
    assert_ne!(ids[0], ids[1]);
    let got = queue.take(2).await;
    assert_eq!(bodies(&got), ["same", "same"]);
    assert_ne!(got[0].message().id(), got[1].message().id());
}

/// Q3: a second delivery has the content of the first.
async fn a_message_comes_back_the_same_each_time(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a").with_attribute("text", "b")).await;
    let held = queue.lease_one().await;
    let again = queue.comes_in(held.back).await;
    let (first, second) = (held.delivery.message(), again.message());
    assert_eq!((first.id(), first.body()), (second.id(), second.body()));
    assert_eq!(first.attributes(), second.attributes());
}
