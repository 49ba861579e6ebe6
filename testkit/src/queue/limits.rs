//! Limits: what can't be stored is refused, with its message, before anything is sent.

use std::time::Duration;

use queue_core::QueueErrorKind::Permanent;
use queue_core::{AttributeValue, Outgoing, PublisherExt};

use super::QueueClause;
use super::QueuePromise::{Bounds, Delay, MessageRules};
use super::case::Case;
use super::subject::Subject;
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(an_empty_body_is_refused).when(MessageRules),
        Clause::of(illegal_characters_are_refused).when(MessageRules),
        Clause::of(illegal_characters_in_attributes_are_refused).when(MessageRules),
        Clause::of(bad_attribute_names_are_refused).when(MessageRules),
        Clause::of(empty_attributes_are_refused).when(MessageRules),
        Clause::of(a_number_that_is_none_is_refused).when(MessageRules),
        Clause::of(a_message_of_the_largest_size_is_taken).when(Bounds),
        Clause::of(a_message_of_one_byte_more_is_refused).when(Bounds),
        Clause::of(attributes_count_towards_the_size).when(Bounds),
        Clause::of(as_many_attributes_as_allowed_are_taken).when(Bounds),
        Clause::of(one_attribute_too_many_is_refused).when(Bounds),
        Clause::of(the_longest_delay_is_taken).when(Delay).when(Bounds),
        Clause::of(a_delay_that_is_too_long_is_refused).when(Delay).when(Bounds),
        Clause::of(a_deduplication_id_is_refused_where_nothing_is_ordered),
    ]
}

/// Checks that each is refused for good, with the message handed back and words that say why, and stored nowhere.
async fn refuses(queue: &Subject, messages: impl IntoIterator<Item = Outgoing>) {
    for message in messages {
        let shown = show(&message);
        let answer = queue.queue().publish_one(message.clone()).await;
        let rejected = answer.expect_err(&shown);
        assert_eq!(rejected.kind(), Permanent, "{shown}");
        assert!(rejected.message() == &message, "another message is handed back for {shown}");
        assert!(!rejected.error().message().is_empty(), "the error says which rule {shown} breaks");
    }
    queue.is_quiet().await;
}

/// What is written of a message that may be large.
fn show(message: &Outgoing) -> String {
    let start: String = message.body().chars().take(30).collect();
    let names: Vec<_> = message.attributes().iter().map(|(name, _)| name).collect();
    format!("{start:?}, {} bytes with the attributes {names:?}", message.size())
}

/// Checks that it is stored.
async fn takes(queue: &Subject, message: Outgoing) {
    queue.send(message.clone()).await;
    let got = queue.take_one().await;
    assert!(got.message().body() == message.body(), "the body came back changed");
    assert_eq!(got.message().attributes().len(), message.attributes().len());
}

/// A message with one attribute.
fn with(name: &str, value: impl Into<AttributeValue>) -> Outgoing {
    Outgoing::new("a").with_attribute(name, value)
}

/// Characters next to the borders of what XML 1.0 allows, and the famous one.
const ILLEGAL: [char; 9] =
    ['\0', '\u{1}', '\u{8}', '\u{b}', '\u{c}', '\u{e}', '\u{1f}', '\u{fffe}', '\u{ffff}'];

/// Q11: a body has at least one character.
async fn an_empty_body_is_refused(case: Case) {
    refuses(&case.queue().await, [Outgoing::new("")]).await;
}

/// Q11, P46: `#x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]` and no others.
async fn illegal_characters_are_refused(case: Case) {
    let bad = ILLEGAL.map(|character| Outgoing::new(format!("before {character} after")));
    refuses(&case.queue().await, bad).await;
}

/// Q11, P46: nor in the text of attributes.
async fn illegal_characters_in_attributes_are_refused(case: Case) {
    let bad = ILLEGAL.map(|character| with("text", format!("before {character} after")));
    refuses(&case.queue().await, bad).await;
}

/// Q11: 1 to 256 of `A-Z a-z 0-9 _ - .`; no dot first, last or doubled; not `AWS.` nor `Amazon.` in any case.
async fn bad_attribute_names_are_refused(case: Case) {
    let long = "n".repeat(257);
    let bad = ["", "a b", "ä", "a/b", ".a", "a.", "a..b", "AWS.a", "aws.a", "Amazon.a", "amazon.a", &long];
    refuses(&case.queue().await, bad.map(|name| with(name, "value"))).await;
}

/// Q11: an attribute has a value.
async fn empty_attributes_are_refused(case: Case) {
    let empty = [AttributeValue::string(""), AttributeValue::binary([]), AttributeValue::number("")];
    refuses(&case.queue().await, empty.map(|value| with("empty", value))).await;
}

/// Q11: a number is one in decimal notation.
async fn a_number_that_is_none_is_refused(case: Case) {
    let bad = ["seven", "1,5", "0x10", "NaN", "inf"].map(|text| with("n", AttributeValue::number(text)));
    refuses(&case.queue().await, bad).await;
}

/// How large a message may be that is alone in its batch.
fn largest(queue: &Subject) -> usize {
    let limits = queue.queue().limits();
    limits.message_bytes.min(limits.batch_bytes)
}

/// Q11, P49: `Limits::message_bytes` is inclusive.
async fn a_message_of_the_largest_size_is_taken(case: Case) {
    let queue = case.queue().await;
    takes(&queue, Outgoing::new("a".repeat(largest(&queue)))).await;
}

/// Q11, P49: and the limit.
async fn a_message_of_one_byte_more_is_refused(case: Case) {
    let queue = case.queue().await;
    let bytes = "a".repeat(largest(&queue) + 1);
    let characters = "ä".repeat(largest(&queue) / 2 + 1);
    refuses(&queue, [Outgoing::new(bytes), Outgoing::new(characters)]).await;
}

/// Q11, P49: names, types and values count.
async fn attributes_count_towards_the_size(case: Case) {
    let queue = case.queue().await;
    let around = "name".len() + "String".len() + "value".len();
    let message = |bytes| Outgoing::new("a".repeat(bytes)).with_attribute("name", "value");
    refuses(&queue, [message(largest(&queue) - around + 1)]).await;
    takes(&queue, message(largest(&queue) - around)).await;
}

fn with_attributes(count: usize) -> Outgoing {
    let names = (0..count).map(|number| format!("name-{number}"));
    Outgoing::new("a").with_attributes(names.map(|name| (name, "value")).collect())
}

/// Q11, P52: `Limits::attributes` is inclusive.
async fn as_many_attributes_as_allowed_are_taken(case: Case) {
    let queue = case.queue().await;
    takes(&queue, with_attributes(queue.queue().limits().attributes)).await;
}

/// Q11, P52: and the limit.
async fn one_attribute_too_many_is_refused(case: Case) {
    let queue = case.queue().await;
    refuses(&queue, [with_attributes(queue.queue().limits().attributes + 1)]).await;
}

/// Q11: `Limits::max_delay` is inclusive.
async fn the_longest_delay_is_taken(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a").with_delay(queue.queue().limits().max_delay)).await;
    queue.is_quiet().await;
}

/// Q11: and the limit.
async fn a_delay_that_is_too_long_is_refused(case: Case) {
    let queue = case.queue().await;
    let too_long = queue.queue().limits().max_delay + Duration::from_secs(1);
    refuses(&queue, [Outgoing::new("a").with_delay(too_long)]).await;
}

/// Q11: what nobody would heed is not taken in silence.
async fn a_deduplication_id_is_refused_where_nothing_is_ordered(case: Case) {
    refuses(&case.queue().await, [Outgoing::new("a").with_deduplication_id("once")]).await;
}
