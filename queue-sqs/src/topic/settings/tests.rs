//! What can be set, and what follows from it.

use super::*;

fn attributes(pairs: &[(&str, &str)]) -> TopicAttributes {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn sent(settings: &SnsTopicSettings, name: &str) -> Vec<String> {
    let mut sent: Vec<_> = settings.attributes(name).unwrap().into_iter().collect();
    sent.sort();
    sent.into_iter().map(|(name, value)| format!("{name}={value}")).collect()
}

// P48
#[test]
fn a_topic_takes_256_kibibytes_unless_it_says_otherwise() {
    let bytes = |pairs| {
        let limits = limits("arn:x", &attributes(pairs)).unwrap();
        (limits.message_bytes, limits.batch_bytes)
    };
    assert_eq!(bytes(&[]), (262_144, 262_144));
    assert_eq!(bytes(&[(BYTES, "1048576")]), (1_048_576, 1_048_576));
    assert_eq!(bytes(&[(BYTES, "1024")]), (1_024, 1_024));
    assert!(limits("arn:x", &attributes(&[(BYTES, "much")])).is_err());
}

// P52
#[test]
fn limits_are_those_of_raw_copies_without_delays() {
    let fifo = limits("arn:x.fifo", &TopicAttributes::new()).unwrap();
    assert_eq!((fifo.batch, fifo.attributes, fifo.max_delay), (10, 10, Duration::ZERO));
    assert!(fifo.ordered && !limits("arn:x", &TopicAttributes::new()).unwrap().ordered);
}

#[test]
fn only_what_was_set_is_sent() {
    let new = SnsTopicSettings::new;
    assert!(sent(&new(), "x").is_empty());
    assert_eq!(sent(&new().with_message_bytes(1_024), "x"), ["MaximumMessageSize=1024"]);
    let fifo = sent(&new().with_content_deduplication().with_attribute("KmsMasterKeyId", "k"), "x.fifo");
    assert_eq!(fifo, ["ContentBasedDeduplication=true", "FifoTopic=true", "KmsMasterKeyId=k"]);
}

#[test]
fn a_topic_that_is_set_otherwise_is_told_by_what_was_asked_for() {
    let wished = SnsTopicSettings::new().with_message_bytes(2_048);
    let conflict = |found| wished.conflict("x", &attributes(found)).unwrap();
    assert_eq!(conflict(&[(BYTES, "2048"), (BY_CONTENT, "true")]), None);
    assert_eq!(
        conflict(&[(BYTES, "1024")]).as_deref(),
        Some("its MaximumMessageSize is 1024, 2048 was asked for")
    );
    assert_eq!(conflict(&[]).as_deref(), Some("its MaximumMessageSize is not set, 2048 was asked for"));
}

#[test]
fn names_and_sizes_that_the_service_refuses_are_refused_here() {
    let long = "x".repeat(257);
    for name in ["", ".fifo", "a.b", "a b", "é", &long, "arn:aws:sns:us-east-1:000000000000:x"] {
        assert!(check_name(name).is_err(), "{name}");
    }
    for name in ["x", "A-b_9", "x.fifo", &long[1..]] {
        assert!(check_name(name).is_ok(), "{name}");
    }
    let with_bytes = |bytes| SnsTopicSettings::new().with_message_bytes(bytes).attributes("x").is_ok();
    assert!(with_bytes(1_024) && with_bytes(1_048_576) && !with_bytes(1_023) && !with_bytes(1_048_577));
    let by_content = SnsTopicSettings::new().with_content_deduplication();
    assert!(by_content.attributes("x").is_err() && by_content.attributes("x.fifo").is_ok());
}
