//! What is refused before anything is sent.

use queue_core::{AttributeValue, Outgoing, Publisher, PublisherExt, QueueErrorKind};
use queue_sqs::{SnsSubscription, SnsTopic, SnsTopicSettings};

use crate::world::{World, drain};

const KIBIBYTES_256: usize = 262_144;

/// A message of that size, of which some is an attribute.
fn message(bytes: usize) -> Outgoing {
    let message = Outgoing::new("x").with_attribute("name", "value");
    let rest = bytes - message.size();
    let message = Outgoing::new("x".repeat(1 + rest)).with_attribute("name", "value");
    assert_eq!(message.size(), bytes);
    message
}

// P48, P49
#[tokio::test]
async fn a_message_may_have_256_kibibytes_with_its_attributes_and_not_a_byte_more() {
    let world = World::start().await;
    let topic = world.topic("entity").await;
    let queue = world.queue("raw").await;
    topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap();
    for bytes in [KIBIBYTES_256 - 1, KIBIBYTES_256] {
        topic.publish_one(message(bytes)).await.unwrap();
    }
    let refused = topic.publish_one(message(KIBIBYTES_256 + 1)).await.unwrap_err();
    assert!(refused.error().message().contains("1 more than the 262144"), "{refused}");
    assert_eq!((refused.kind(), world.server.calls().of("PublishBatch")), (QueueErrorKind::Permanent, 2));
    assert_eq!(drain(&queue).await.len(), 2);
}

// P48, P49
#[tokio::test]
async fn a_topic_that_was_raised_takes_a_mebibyte() {
    let world = World::start().await;
    let raised = SnsTopicSettings::new().with_message_bytes(1_048_576);
    let topic = world.topic_with("entity", raised).await;
    let queue = world.queue("raw").await;
    topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap();
    for bytes in [KIBIBYTES_256 + 1, 1_048_576] {
        topic.publish_one(message(bytes)).await.unwrap();
    }
    assert_eq!(topic.publish_one(message(1_048_577)).await.unwrap_err().kind(), QueueErrorKind::Permanent);
    assert_eq!(drain(&queue).await.len(), 2);
    let opened = SnsTopic::builder(world.sns.clone()).arn(topic.arn()).build().await.unwrap();
    assert_eq!(opened.limits().message_bytes, 1_048_576, "read from the topic");
}

// Q11
#[tokio::test]
async fn a_batch_may_have_as_many_bytes_as_a_message_and_is_cut_so() {
    let world = World::start().await;
    let topic = world.topic("entity").await;
    let half = || message(KIBIBYTES_256 / 2);
    assert!(topic.publish(vec![half(), half()]).await.iter().all(Result::is_ok));
    let over = vec![half(), half(), Outgoing::new("x")];
    assert!(topic.publish(over.clone()).await.iter().all(Result::is_err));
    assert_eq!(world.server.calls().of("PublishBatch"), 1);
    assert!(topic.publish_all(over).await.iter().all(Result::is_ok));
    assert_eq!(world.server.calls().of("PublishBatch"), 3);
}

// P52
#[tokio::test]
async fn more_than_ten_attributes_are_refused_as_the_service_would_discard_the_raw_copy() {
    let world = World::start().await;
    let topic = world.topic("entity").await;
    let queue = world.queue("raw").await;
    topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap();
    let with = |count: usize| {
        let message = Outgoing::new(count.to_string());
        (0..count).fold(message, |message, number| {
            message.with_attribute(format!("a{number}"), AttributeValue::number(number))
        })
    };
    let answers = topic.publish(vec![with(11), with(10)]).await;
    assert_eq!(answers[0].as_ref().unwrap_err().kind(), QueueErrorKind::Permanent);
    assert!(answers[1].is_ok());
    assert_eq!(crate::world::bodies(&drain(&queue).await), ["10"]);
}

// Q11
#[tokio::test]
async fn limits_can_be_narrowed_and_not_widened() {
    let world = World::start().await;
    let topic = world.topic("entity").await;
    let opened = SnsTopic::builder(world.sns.clone()).arn(topic.arn());
    let narrow = opened.message_bytes(1_000).attributes(8).build().await.unwrap().limits();
    assert_eq!((narrow.message_bytes, narrow.batch_bytes, narrow.attributes), (1_000, KIBIBYTES_256, 8));
    let opened = SnsTopic::builder(world.sns.clone()).arn(topic.arn());
    let wide = opened.message_bytes(1 << 30).attributes(99).build().await.unwrap().limits();
    assert_eq!((wide.message_bytes, wide.attributes), (KIBIBYTES_256, 10));
}

// Q11
#[tokio::test]
async fn delays_are_refused_as_topics_have_none() {
    let world = World::start().await;
    let delayed = Outgoing::new("m").with_delay(std::time::Duration::from_secs(1));
    let refused = world.topic("entity").await.publish_one(delayed).await.unwrap_err();
    assert_eq!((refused.kind(), world.server.calls().total()), (QueueErrorKind::Permanent, 0));
}
