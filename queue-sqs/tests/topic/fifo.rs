//! FIFO topics: order, identity, and who may subscribe.

use std::collections::BTreeMap;

use queue_core::{Message, Outgoing, Publisher, PublisherExt, QueueErrorKind};
use queue_sqs::{SnsSubscription, SnsTopicSettings};

use crate::world::{World, drain};

const GROUPS: usize = 5;
const EACH: usize = 20;

/// The bodies of each group, in the order in which they came.
fn by_group(messages: &[Message]) -> BTreeMap<String, Vec<String>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for message in messages {
        let group = message.group_key().unwrap().to_owned();
        groups.entry(group).or_default().push(message.body().to_owned());
    }
    groups
}

// Q8
#[tokio::test]
async fn each_fifo_queue_gets_the_messages_of_a_group_in_order() {
    let world = World::start().await;
    let topic = world.topic("entity.fifo").await;
    let (raw, enveloped) = (world.queue("raw.fifo").await, world.queue("enveloped.fifo").await);
    topic.subscribe(SnsSubscription::raw(&raw)).await.unwrap();
    topic.subscribe(SnsSubscription::enveloped(&enveloped)).await.unwrap();
    let message = |number: usize| {
        let message =
            Outgoing::new(format!("{:02}", number / GROUPS)).with_group_key(format!("g{}", number % GROUPS));
        message.with_deduplication_id(number.to_string())
    };
    let answers = topic.publish_all((0..GROUPS * EACH).map(message).collect()).await;
    assert!(answers.iter().all(Result::is_ok));
    let wanted: Vec<_> = (0..EACH).map(|number| format!("{number:02}")).collect();
    let unwrapped = queue_core::Unwrapped::new(enveloped);
    for groups in [by_group(&drain(&raw).await), by_group(&drain(&unwrapped).await)] {
        assert_eq!(groups.len(), GROUPS);
        assert!(groups.values().all(|bodies| *bodies == wanted), "{groups:?}");
    }
}

// Q9
#[tokio::test]
async fn a_message_published_twice_is_stored_once() {
    let world = World::start().await;
    let by_content = SnsTopicSettings::new().with_content_deduplication();
    let (by_id, by_content) =
        (world.topic("id.fifo").await, world.topic_with("content.fifo", by_content).await);
    let queue = world.queue("raw.fifo").await;
    by_id.subscribe(SnsSubscription::raw(&queue)).await.unwrap();
    by_content.subscribe(SnsSubscription::raw(&queue)).await.unwrap();
    let bare = |body: &str| Outgoing::new(body).with_group_key("g");
    for _ in 0..2 {
        by_id.publish_one(bare("m0").with_deduplication_id("a")).await.unwrap();
        by_content.publish_one(bare("m1")).await.unwrap();
    }
    let refused = by_id.publish_one(bare("m2")).await.unwrap_err();
    assert!(
        refused.kind() == QueueErrorKind::Permanent && refused.error().message().contains("deduplication id")
    );
    assert_eq!(crate::world::bodies(&drain(&queue).await), ["m0", "m1"]);
}

// Q8, Q11
#[tokio::test]
async fn a_fifo_topic_asks_for_groups_and_a_standard_one_for_no_identity() {
    let world = World::start().await;
    let (fifo, standard) = (world.topic("entity.fifo").await, world.topic("entity").await);
    assert!(fifo.limits().ordered && !standard.limits().ordered);
    world.server.reset_calls();
    let refused = [
        fifo.publish_one(Outgoing::new("m").with_deduplication_id("d")).await,
        standard.publish_one(Outgoing::new("m").with_deduplication_id("d")).await,
    ];
    assert!(refused.iter().all(|answer| answer.as_ref().unwrap_err().kind() == QueueErrorKind::Permanent));
    assert_eq!(world.server.calls().total(), 0);
}

#[tokio::test]
async fn a_fifo_queue_does_not_subscribe_to_a_standard_topic_but_a_standard_one_to_a_fifo_topic() {
    let world = World::start().await;
    let (fifo, standard) = (world.topic("entity.fifo").await, world.topic("entity").await);
    let (ordered, plain) = (world.queue("q.fifo").await, world.queue("q").await);
    let error = standard.subscribe(SnsSubscription::raw(&ordered)).await.unwrap_err();
    assert!(error.kind() == QueueErrorKind::Permanent && error.message().contains("FIFO topic"), "{error}");
    assert!(world.policy(&ordered).await.is_null());
    fifo.subscribe(SnsSubscription::raw(&plain)).await.unwrap();
    fifo.publish_one(Outgoing::new("m").with_group_key("g").with_deduplication_id("d")).await.unwrap();
    assert_eq!(crate::world::bodies(&drain(&plain).await), ["m"]);
}
