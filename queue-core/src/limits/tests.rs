//! Q11, rule by rule.

use proptest::prelude::*;

use super::*;
use crate::{AttributeValue, QueueErrorKind};

fn refusal(message: &Outgoing) -> String {
    let error = Limits::default().check(message).unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Permanent);
    error.message().to_owned()
}

// Q11, P48, P49
#[test]
fn a_message_may_have_the_limit_in_bytes_with_its_attributes_and_not_one_more() {
    let limits = Limits::default();
    let attribute = AttributeValue::string("v"); // name 1 + type 6 + value 1
    for (body, accepted) in [(1_048_567, true), (1_048_568, true), (1_048_569, false)] {
        let message = Outgoing::new("x".repeat(body)).with_attribute("n", attribute.clone());
        assert_eq!(limits.check(&message).is_ok(), accepted, "{body}");
    }
    let over = Outgoing::new("x".repeat(1_048_577));
    assert!(refusal(&over).contains("1 more than the 1048576 allowed"));
    assert!(limits.check(&Outgoing::new("x".repeat(262_145))).is_ok());
}

// Q11, P46
#[test]
fn characters_that_the_service_refuses_are_named_with_their_place() {
    for (body, code) in
        [("a\u{0}", "U+0000 at byte 1"), ("ä\u{FFFE}", "U+FFFE at byte 2"), ("\u{B}", "U+000B")]
    {
        assert!(refusal(&Outgoing::new(body)).contains(code));
        let attribute = Outgoing::new("x").with_attribute("n", body);
        assert!(refusal(&attribute).starts_with("attribute \"n\" has U+"));
    }
    let allowed = "\t\n\r <>&\"\u{20}\u{D7FF}\u{E000}\u{FFFD}\u{10000}\u{10FFFF}";
    assert!(Limits::default().check(&Outgoing::new(allowed)).is_ok());
}

// Q11, P52
#[test]
fn the_eleventh_attribute_is_refused() {
    let with = |n: u32| (0..n).fold(Outgoing::new("x"), |m, i| m.with_attribute(format!("a{i}"), "v"));
    assert!(Limits::default().check(&with(10)).is_ok());
    assert_eq!(refusal(&with(11)), "the message has 11 attributes, 10 are allowed");
}

// Q11
#[test]
fn bad_attributes_are_refused_by_name() {
    for name in ["", ".a", "a.", "a..b", "AWS.x", "aws.x", "Amazon.x", "a b", "ä", &"n".repeat(257)] {
        assert!(refusal(&Outgoing::new("x").with_attribute(name, "v")).contains("attribute name"), "{name}");
    }
    assert!(refusal(&Outgoing::new("x").with_attribute("n", "")).contains("is empty"));
    for number in ["ten", "", "NaN", "inf"] {
        let message = Outgoing::new("x").with_attribute("n", AttributeValue::number(number));
        assert!(refusal(&message).contains("\"n\""), "{number}");
    }
    let labelled = AttributeValue::number("-12.5e3").with_label("price");
    assert!(Limits::default().check(&Outgoing::new("x").with_attribute("n", labelled)).is_ok());
}

// Q11
#[test]
fn an_empty_body_a_long_delay_and_bad_ids_are_refused() {
    assert!(refusal(&Outgoing::new("")).contains("empty"));
    let delay = Outgoing::new("x").with_delay(Duration::from_secs(901));
    assert_eq!(refusal(&delay), "the delay of 901s is longer than the 900s allowed");
    for group in [String::new(), "a b".to_owned(), "g".repeat(129)] {
        assert!(refusal(&Outgoing::new("x").with_group_key(group)).contains("group key"));
    }
    assert!(refusal(&Outgoing::new("x").with_deduplication_id("d")).contains("needs an ordered queue"));
}

// Q11
#[test]
fn an_ordered_publisher_wants_a_group_and_no_delay() {
    let limits = Limits::default().with_ordered(true);
    let message = Outgoing::new("x").with_deduplication_id("d");
    assert!(limits.check(&message).is_err());
    let message = message.with_group_key("g");
    assert!(limits.check(&message).is_ok());
    assert!(limits.check(&message.with_delay(Duration::from_secs(1))).is_err());
}

proptest! {
    #[test]
    fn batches_keep_the_order_and_the_limits(sizes in prop::collection::vec(1_usize..60, 0..80)) {
        let limits = Limits::default().with_message_bytes(100);
        let messages: Vec<_> = sizes.iter().map(|&size| Outgoing::new("x".repeat(size))).collect();
        let batches = limits.batches(messages.clone());
        prop_assert!(batches.iter().all(|batch| batch.len() <= limits.batch && !batch.is_empty()));
        prop_assert!(batches.iter().all(|b| b.iter().map(Outgoing::size).sum::<usize>() <= limits.batch_bytes));
        prop_assert_eq!(batches.concat(), messages);
    }
}
