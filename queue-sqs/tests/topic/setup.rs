//! Opening a topic, and making it.

use queue_core::{Outgoing, Publisher, PublisherExt, QueueErrorKind};
use queue_sqs::{SnsTopic, SnsTopicSettings};

use crate::world::World;

#[tokio::test]
async fn a_topic_is_made_once_and_found_by_its_name_and_its_arn() {
    let world = World::start().await;
    let made = world.topic("entity").await;
    assert_eq!(world.topic("entity").await.arn(), made.arn());
    let builder = || SnsTopic::builder(world.sns.clone());
    for found in [builder().name("entity"), builder().arn(made.arn())] {
        let found = found.build().await.unwrap();
        assert_eq!(found.arn(), made.arn());
        found.publish_one(Outgoing::new("m")).await.unwrap();
    }
    assert!(format!("{made:?}").contains(made.arn()));
}

#[tokio::test]
async fn a_topic_is_searched_for_through_all_pages() {
    let world = World::start().await;
    for number in 0..120 {
        world.sns.create_topic().name(format!("other{number}")).send().await.unwrap();
    }
    let made = world.topic("zebra").await;
    let found = SnsTopic::builder(world.sns.clone()).name("zebra").build().await.unwrap();
    assert_eq!(found.arn(), made.arn());
    assert_eq!(world.server.calls().of("ListTopics"), 2);
}

#[tokio::test]
async fn what_is_not_there_passes_and_what_is_set_otherwise_does_not() {
    let world = World::start().await;
    let builder = || SnsTopic::builder(world.sns.clone());
    world.topic("entity").await;
    world.topic("entity.fifo").await;
    let raised = SnsTopicSettings::new().with_message_bytes(1_048_576);
    let by_content = SnsTopicSettings::new().with_content_deduplication();
    for (builder, kind) in [
        (builder().name("missing"), QueueErrorKind::Transient),
        (builder().arn("arn:aws:sns:us-east-1:000000000000:missing"), QueueErrorKind::Transient),
        (builder(), QueueErrorKind::Permanent),
        (builder().name("no name"), QueueErrorKind::Permanent),
        (builder().arn("arn:x").create(SnsTopicSettings::new()), QueueErrorKind::Permanent),
        (builder().name("entity").create(raised), QueueErrorKind::Permanent),
        (builder().name("entity.fifo").create(by_content.clone()), QueueErrorKind::Permanent),
        (builder().name("other").create(by_content), QueueErrorKind::Permanent),
    ] {
        let error = builder.build().await.unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
    }
}

#[tokio::test]
async fn a_topic_that_is_assumed_costs_no_call() {
    let world = World::start().await;
    let arn = world
        .topic_with("entity.fifo", SnsTopicSettings::new().with_content_deduplication())
        .await
        .arn()
        .to_owned();
    world.server.reset_calls();
    let assumed = SnsTopicSettings::new().with_content_deduplication().with_message_bytes(1_048_576);
    let topic = SnsTopic::builder(world.sns.clone()).arn(arn).assume(assumed).build().await.unwrap();
    assert!(world.server.calls().setup.is_empty());
    assert!(topic.limits().ordered && topic.limits().message_bytes == 1_048_576);
    topic.publish_one(Outgoing::new("m").with_group_key("g")).await.unwrap();
}
