//! Opening a topic, and making it.

use aws_smithy_http_client::test_util::NeverClient;
use queue_core::{Outgoing, Publisher, PublisherExt, QueueErrorKind};
use queue_sqs::{SnsSubscription, SnsTopic, SnsTopicSettings, SqsQueue, SqsQueueSettings};
use tokio::time::Instant;

use crate::client::config as sqs_config;
use crate::replay::ARN;
use crate::world::{World, sns_config};

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

#[tokio::test]
async fn a_topic_that_is_set_otherwise_is_told_by_its_attribute_where_that_matters() {
    let world = World::start().await;
    let made = world.topic("entity").await;
    let build =
        async |settings| SnsTopic::builder(world.sns.clone()).name("entity").create(settings).build().await;
    let error = build(SnsTopicSettings::new().with_message_bytes(2_048)).await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Permanent);
    assert!(error.to_string().contains("MaximumMessageSize is"), "{error}");
    let found = build(SnsTopicSettings::new().with_attribute("DisplayName", "Entities")).await.unwrap();
    assert_eq!(found.arn(), made.arn());
}

// W8
#[tokio::test(start_paused = true)]
async fn set_up_that_is_never_answered_ends_in_half_a_minute() {
    let [sns, sqs] = [NeverClient::new(), NeverClient::new()];
    let sns = aws_sdk_sns::Client::from_conf(sns_config("http://localhost:1").http_client(sns).build());
    let sqs = aws_sdk_sqs::Client::from_conf(sqs_config("http://localhost:1").http_client(sqs).build());
    let builder = || SnsTopic::builder(sns.clone()).arn(ARN);
    let start = Instant::now();
    assert_eq!(builder().build().await.unwrap_err().kind(), QueueErrorKind::Indeterminate);
    assert_eq!(start.elapsed().as_secs(), 30);
    let topic = builder().assume(SnsTopicSettings::new()).build().await.unwrap();
    let url = "http://localhost:1/000000000000/raw";
    let queue = SqsQueue::builder(sqs).url(url).assume(SqsQueueSettings::new()).build().await.unwrap();
    topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap_err();
    topic.unsubscribe(&queue).await.unwrap_err();
    topic.publish_one(Outgoing::new("m")).await.unwrap_err();
    assert_eq!(start.elapsed().as_secs(), 30 + 30 + 30 + 10);
}
