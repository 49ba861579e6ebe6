//! Calls that fail in part, or whose answers are lost.

use std::time::Duration;

use queue_core::{Coalesced, Outgoing, Publisher, PublisherExt, QueueErrorKind, Rejected};
use queue_sqs::{SnsSubscription, SnsTopic, SnsTopicSettings};
use testkit::server::{Cut, Fault, FaultScript, Rule};

use crate::world::{World, bodies, drain};

fn messages(count: usize) -> Vec<Outgoing> {
    (0..count).map(|number| Outgoing::new(format!("m{number}"))).collect()
}

fn once(fault: Fault) -> FaultScript {
    FaultScript::new([Rule::new(fault).with_operation("PublishBatch").with_times(1)])
}

// Q6, P34
#[tokio::test]
async fn entries_that_failed_are_handed_back_and_the_others_are_delivered() {
    let world = World::start().await;
    let (topic, queue) = (world.topic("entity").await, world.queue("raw").await);
    topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap();
    world.server.faults(once(Fault::partial([Some("InternalError"), None, Some("InvalidParameter")])));
    let answers = topic.publish(messages(5)).await;
    let kinds: Vec<_> = answers.iter().map(|answer| answer.as_ref().err().map(Rejected::kind)).collect();
    assert_eq!(kinds, [Some(QueueErrorKind::Transient), None, Some(QueueErrorKind::Permanent), None, None]);
    assert_eq!(bodies(&drain(&queue).await), ["m1", "m3", "m4"]);
}

// Q6
#[tokio::test]
async fn coalesced_sends_again_what_can_succeed_and_nothing_else() {
    let world = World::start().await;
    let (topic, queue) = (world.topic("entity").await, world.queue("raw").await);
    topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap();
    world.server.faults(once(Fault::partial([Some("InternalError"), Some("InvalidParameter"), None])));
    let answers = Coalesced::new(topic).publish(messages(3)).await;
    let kinds: Vec<_> = answers.iter().map(|answer| answer.as_ref().err().map(Rejected::kind)).collect();
    assert_eq!(kinds, [None, Some(QueueErrorKind::Permanent), None]);
    assert_eq!(bodies(&drain(&queue).await), ["m0", "m2"]);
    assert_eq!(world.server.calls().of("PublishBatch"), 2);
}

// Q6
#[tokio::test]
async fn a_lost_answer_is_indeterminate_for_each_entry_and_is_not_repeated_by_the_sdk() {
    let world = World::start().await;
    let (topic, queue) = (world.topic("entity").await, world.queue("raw").await);
    topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap();
    world.server.faults(once(Fault::cut(Cut::After)));
    let answers = topic.publish(messages(2)).await;
    let is_open = |answer: &Result<_, Rejected>| {
        answer.as_ref().is_err_and(|rejected| rejected.kind() == QueueErrorKind::Indeterminate)
    };
    assert!(answers.iter().all(is_open), "{answers:?}");
    assert_eq!(bodies(&drain(&queue).await), ["m0", "m1"], "it was done");
    assert_eq!(world.server.calls().of("PublishBatch"), 1);
}

// Q9
#[tokio::test]
async fn what_is_published_again_after_a_lost_answer_is_stored_once_on_a_fifo_topic() {
    let world = World::start().await;
    let (topic, queue) = (world.topic("entity.fifo").await, world.queue("raw.fifo").await);
    topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap();
    world.server.faults(once(Fault::cut(Cut::After)));
    let message = Outgoing::new("m").with_group_key("g").with_deduplication_id("d");
    let rejected = topic.publish_one(message).await.unwrap_err();
    topic.publish_one(rejected.into_message()).await.unwrap();
    assert_eq!(bodies(&drain(&queue).await), ["m"]);
}

// W8
#[tokio::test]
async fn a_publish_that_is_never_answered_ends_in_time() {
    let world = World::start().await;
    let arn = world.topic("entity").await.arn().to_owned();
    let builder = SnsTopic::builder(world.sns.clone()).arn(arn).assume(SnsTopicSettings::new());
    let topic = builder.call_timeout(Duration::from_millis(200)).build().await.unwrap();
    world.server.faults(once(Fault::hang()));
    let rejected = topic.publish_one(Outgoing::new("m")).await.unwrap_err();
    assert_eq!(rejected.kind(), QueueErrorKind::Indeterminate);
    topic.publish_one(Outgoing::new("m")).await.unwrap();
}
