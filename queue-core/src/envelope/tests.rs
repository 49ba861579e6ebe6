//! What goes into an envelope comes out of it.

use std::time::{Duration, SystemTime};

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use super::{room, unwrap, wrap};
use crate::{AttributeValue, Attributes, Limits, MessageId, Outgoing};

/// As Amazon SNS writes it (Amazon SNS Developer Guide, "Parsing message formats"), with what is not read.
const NOTIFICATION: &str = r#"{
  "Type" : "Notification", "MessageId" : "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
  "TopicArn" : "arn:aws:sns:us-west-2:123456789012:MyTopic", "Subject" : "My First Message",
  "Message" : "Hello \"world\"!", "Timestamp" : "2012-05-02T00:54:06.655Z", "SignatureVersion" : "1",
  "Signature" : "EXAMPLEw6JRN...", "SigningCertURL" : "https://example.com/cert.pem",
  "UnsubscribeURL" : "https://example.com/", "SequenceNumber" : "10000000000000003000",
  "MessageAttributes" : { "sport" : { "Type" : "String.Array", "Value" : "[\"tennis\"]" },
    "price" : { "Type" : "Number", "Value" : "210.75" }, "blob" : { "Type" : "Binary", "Value" : "AP8=" } } }"#;

#[test]
fn an_envelope_of_the_service_is_read() {
    let inner = unwrap(NOTIFICATION).unwrap();
    assert_eq!(inner.id.as_str(), "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324");
    assert_eq!(inner.body, "Hello \"world\"!");
    let expected: Attributes = [
        ("sport", AttributeValue::string(r#"["tennis"]"#).with_label("Array")),
        ("price", AttributeValue::number("210.75")),
        ("blob", AttributeValue::binary([0, 255])),
    ]
    .into_iter()
    .collect();
    assert_eq!(inner.attributes, expected);
}

// O17
#[test]
fn an_id_that_the_publisher_named_goes_before_that_of_the_service() {
    let named = |id: &str| {
        let attribute = format!(r#"{{ "message-id" : {{ "Type" : "String", "Value" : "{id}" }}, "sport""#);
        unwrap(&NOTIFICATION.replace(r#"{ "sport""#, &attribute)).unwrap().id
    };
    assert_eq!(named("change-7").as_str(), "change-7");
    assert_eq!(named("no id").as_str(), "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324");
}

#[test]
fn an_envelope_has_the_fields_that_the_service_documents() {
    let message = Outgoing::new("hi").with_attribute("blob", AttributeValue::binary([0, 255]));
    let at = SystemTime::UNIX_EPOCH + Duration::from_millis(1_335_920_046_655);
    let json: Value = serde_json::from_str(&wrap(&message, &MessageId::new("7"), "entity", at)).unwrap();
    let expected = serde_json::json!({
        "Type": "Notification", "MessageId": "7", "TopicArn": "entity", "Message": "hi",
        "Timestamp": "2012-05-02T00:54:06.655Z",
        "MessageAttributes": { "blob": { "Type": "Binary", "Value": "AP8=" } },
    });
    assert_eq!(json, expected);
    let bare = wrap(&Outgoing::new("hi"), &MessageId::new("7"), "entity", at);
    assert!(!bare.contains("MessageAttributes"));
}

// W14
#[test]
fn what_is_no_envelope_is_not_taken_for_one() {
    let noise = "\u{1F600}x".repeat(200_000);
    let deep = "[".repeat(500_000);
    let deep_field = NOTIFICATION.replace("\"EXAMPLEw6JRN...\"", &"[".repeat(100_000));
    let other_type = NOTIFICATION.replace("\"Notification\"", "\"SubscriptionConfirmation\"");
    let no_id = NOTIFICATION.replace("\"MessageId\"", "\"messageId\"");
    let no_topic = NOTIFICATION.replace("\"TopicArn\"", "\"x\"");
    let bad_base64 = NOTIFICATION.replace("AP8=", "AP8");
    let bad_type = NOTIFICATION.replace("\"Number\"", "\"Float\"");
    let number = NOTIFICATION.replace("\"Hello \\\"world\\\"!\"", "7");
    let bodies = ["", "null", "{}", "[]", "7", &noise, &deep, &deep_field, &other_type, &no_id, &no_topic];
    for body in bodies.into_iter().chain([&*bad_base64, &bad_type, &number]) {
        assert!(unwrap(body).is_none(), "{body:.80}");
    }
}

/// Every legal character, the ones that JSON escapes more often.
fn legal() -> impl Strategy<Value = String> {
    let c = prop_oneof![
        prop::sample::select(vec![
            '\t', '\n', '\r', '"', '\\', '/', '<', '&', '\u{7F}', '\u{85}', '\u{2028}', '\u{FFFD}'
        ]),
        prop::char::range(' ', '\u{D7FF}'),
        prop::char::range('\u{E000}', '\u{FFFD}'),
        prop::char::range('\u{10000}', '\u{10FFFF}'),
    ];
    vec(c, 1..40).prop_map(|chars| chars.into_iter().collect())
}

fn value() -> impl Strategy<Value = AttributeValue> {
    let plain = prop_oneof![
        legal().prop_map(AttributeValue::string),
        any::<f64>().prop_filter("finite", |n| n.is_finite()).prop_map(AttributeValue::number),
        Just(AttributeValue::number("007.50e-3")),
        vec(any::<u8>(), 1..20).prop_map(AttributeValue::binary),
    ];
    (plain, proptest::option::of("[!-~]{0,5}"))
        .prop_map(|(value, label)| label.into_iter().fold(value, AttributeValue::with_label))
}

fn message() -> impl Strategy<Value = Outgoing> {
    let attributes = prop::collection::btree_map("[A-Za-z0-9_-]{1,9}", value(), 0..10);
    (legal(), attributes)
        .prop_map(|(body, attributes)| Outgoing::new(body).with_attributes(attributes.into_iter().collect()))
}

// P46
proptest! {
    #[test]
    fn body_and_attributes_survive_the_envelope(message in message(), id in "[!-~]{1,128}") {
        prop_assert!(Limits::default().check(&message).is_ok());
        let id = MessageId::new(id);
        let envelope = wrap(&message, &id, "entity", SystemTime::UNIX_EPOCH);
        prop_assert!(Limits::default().check(&Outgoing::new(envelope.clone())).is_ok());
        let inner = unwrap(&envelope).unwrap();
        prop_assert_eq!(inner.id, id);
        prop_assert_eq!(inner.body.as_str(), message.body());
        prop_assert_eq!(&inner.attributes, message.attributes());
    }

    #[test]
    fn an_envelope_is_never_larger_than_room_was_made_for(message in message(), topic in ".{0,20}", id in "[!-~]{128}") {
        let envelope = wrap(&message, &MessageId::new(id), &topic, SystemTime::UNIX_EPOCH);
        prop_assert!(room(envelope.len() - 1, message.attributes().len(), &topic) < message.size());
    }
}

#[test]
fn there_may_be_no_room() {
    assert_eq!((room(100, 10, "entity"), room(usize::MAX, usize::MAX, "entity")), (0, 0));
}
