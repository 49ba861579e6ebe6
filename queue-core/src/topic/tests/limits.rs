//! What a topic takes: what every subscriber would.

use super::*;
use crate::{AttributeValue, Filter, Limits, MemoryQueue, Publisher, TopicOptions};

fn with_attributes(count: usize) -> Outgoing {
    let attributes = (0..count).map(|number| (format!("a{number}"), AttributeValue::number(number)));
    Outgoing::new("m0").with_attributes(attributes.collect())
}

// P52, Q11
#[tokio::test(start_paused = true)]
async fn more_attributes_than_raw_delivery_carries_are_refused_before_anything_is_sent() {
    let subscriber = Subscriber::well();
    let topic = topic(&[&subscriber]);
    assert!(topic.publish_one(with_attributes(10)).await.is_ok());
    let rejected = topic.publish_one(with_attributes(11)).await.unwrap_err();
    assert_eq!(rejected.kind(), QueueErrorKind::Permanent);
    assert_eq!(rejected.error().message(), "the message has 11 attributes, 10 are allowed");
    assert_eq!(subscriber.calls().len(), 1);
}

// P52
#[tokio::test(start_paused = true)]
async fn a_topic_may_take_more_attributes_as_long_as_all_copies_are_enveloped() {
    let options = TopicOptions::default().with_limits(Limits::default().with_attributes(20));
    let topic = MemoryTopic::with_options("entity", options);
    let (wrapped, raw) = (MemoryQueue::new(), Subscriber::well());
    topic.subscribe(Subscription::enveloped("wrapped", wrapped)).unwrap();
    assert!(topic.publish_one(with_attributes(11)).await.is_ok());
    topic.subscribe(Subscription::raw("raw", raw.clone())).unwrap();
    assert_eq!(kind(&topic.publish_one(with_attributes(11)).await), Some(QueueErrorKind::Permanent));
    assert!(raw.calls().is_empty());
}

// P46, Q11
#[tokio::test(start_paused = true)]
async fn illegal_characters_are_refused_and_the_rest_of_the_batch_is_sent() {
    let subscriber = Subscriber::well();
    let topic = MemoryTopic::new("entity");
    topic.subscribe(Subscription::enveloped("wrapped", subscriber.clone())).unwrap();
    topic.subscribe(Subscription::raw("raw", subscriber.clone())).unwrap();
    let bodies = ["\u{0}", "good", "a\u{8}b", "\u{FFFE}", "\u{FFFF}", "\t\r\n\u{FFFD}\u{10FFFF}"];
    let mut batch: Vec<_> = bodies.map(Outgoing::new).into();
    batch.push(Outgoing::new("fine").with_attribute("name", "\u{1}"));
    let kinds: Vec<_> = topic.publish_all(batch).await.iter().map(kind).collect();
    let no = Some(QueueErrorKind::Permanent);
    assert_eq!(kinds, [no, None, no, no, no, None, no]);
    assert_eq!(subscriber.stored().len(), 4);
}

// Q11
#[tokio::test(start_paused = true)]
async fn the_limits_are_the_strictest_whatever_the_filters() {
    let small = MemoryQueue::builder().limits(Limits::default().with_message_bytes(100)).build().unwrap();
    let subscriber = Subscriber::well();
    let topic = topic(&[&subscriber]);
    assert_eq!(topic.limits().message_bytes, 262_144);
    let filter = Filter::new().with("type", ["small"]);
    topic.subscribe(Subscription::raw("small", small).with_filter(filter)).unwrap();
    assert_eq!(topic.limits().message_bytes, 100);
    let message = Outgoing::new("x".repeat(101));
    assert!(topic.limits().check(&message).is_err());
    assert_eq!(kind(&topic.publish_one(message.clone()).await), Some(QueueErrorKind::Permanent));
    topic.unsubscribe("small");
    assert!(topic.publish_one(message).await.is_ok());
}

// Q11
#[tokio::test(start_paused = true)]
async fn a_message_that_keeps_the_limits_fits_in_its_envelope_too() {
    let queue = MemoryQueue::builder().limits(Limits::default().with_message_bytes(4_096)).build().unwrap();
    let topic = MemoryTopic::new("entity");
    topic.subscribe(Subscription::enveloped("small", queue)).unwrap();
    let most = topic.limits().message_bytes;
    assert!((1_500..2_048).contains(&most), "{most}");
    assert!(topic.publish_one(Outgoing::new("\"".repeat(most))).await.is_ok());
    assert!(topic.publish_one(Outgoing::new("\"".repeat(most + 1))).await.is_err());
    let room = most - 10 * (2 + "Binary".len());
    let bytes = |n: usize| (format!("a{n}"), AttributeValue::binary(vec![0; (room - 1) / 10]));
    let message = Outgoing::new("\"").with_attributes((0..10).map(bytes).collect());
    assert!(message.size() > most - 10);
    assert!(topic.publish_one(message).await.is_ok());
}

// Q11
#[tokio::test(start_paused = true)]
async fn a_batch_beyond_the_limits_is_refused_as_a_whole() {
    let subscriber = Subscriber::well();
    let topic = topic(&[&subscriber]);
    let no = Some(QueueErrorKind::Permanent);
    let many = topic.publish(messages(11)).await;
    assert!(many.len() == 11 && many.iter().all(|answer| kind(answer) == no));
    let large = vec![Outgoing::new("x".repeat(200_000)); 2];
    assert_eq!(topic.publish(large.clone()).await.iter().map(kind).collect::<Vec<_>>(), [no, no]);
    assert!(subscriber.calls().is_empty());
    assert!(topic.publish_all(large).await.iter().all(Result::is_ok));
    assert!(topic.publish(Vec::new()).await.is_empty());
}

// Q11
#[tokio::test(start_paused = true)]
async fn delays_and_deduplication_ids_are_refused_by_a_standard_topic() {
    let topic = topic(&[&Subscriber::well()]);
    let no = Some(QueueErrorKind::Permanent);
    assert_eq!(kind(&topic.publish_one(Outgoing::new("m0").with_delay(secs(1))).await), no);
    assert_eq!(kind(&topic.publish_one(Outgoing::new("m0").with_deduplication_id("7")).await), no);
}
