//! The policy by which a queue lets a topic send.

use aws_sdk_sqs::types::QueueAttributeName::Policy;
use queue_core::{Outgoing, PublisherExt, QueueErrorKind};
use queue_sqs::{SnsSubscription, SqsQueue, SqsQueueSettings};
use serde_json::json;

use testkit::server::{Fault, FaultScript, Rule};

use crate::world::{World, bodies, drain};

#[tokio::test]
async fn a_queue_without_a_policy_gets_nothing_and_with_one_it_does() {
    let world = World::start().await;
    let (topic, queue) = (world.topic("entity").await, world.queue("raw").await);
    topic.subscribe(SnsSubscription::raw(&queue).without_policy()).await.unwrap();
    topic.publish_one(Outgoing::new("m0")).await.unwrap();
    assert!(world.policy(&queue).await.is_null());
    topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap();
    topic.publish_one(Outgoing::new("m1")).await.unwrap();
    assert_eq!(bodies(&drain(&queue).await), ["m1"]);
}

#[tokio::test]
async fn foreign_statements_stay_and_each_topic_has_one_of_its_own() {
    let world = World::start().await;
    let queue = world.queue("raw").await;
    let foreign = json!({
        "Sid": "ops", "Effect": "Allow", "Principal": { "AWS": "arn:aws:iam::111122223333:root" },
        "Action": "sqs:ReceiveMessage", "Resource": queue.arn(),
    });
    let policy = json!({ "Version": "2012-10-17", "Id": "mine", "Statement": foreign }).to_string();
    let call = world.sqs.set_queue_attributes().queue_url(queue.url()).attributes(Policy, policy);
    call.send().await.unwrap();
    let (first, second) = (world.topic("first").await, world.topic("second").await);
    for topic in [&first, &second, &first] {
        topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap();
        topic.publish_one(Outgoing::new(topic.arn())).await.unwrap();
    }
    assert_eq!(bodies(&drain(&queue).await), [first.arn(), first.arn(), second.arn()]);
    let policy = world.policy(&queue).await;
    assert_eq!((&policy["Id"], &policy["Statement"][0]), (&json!("mine"), &foreign));
    let sources: Vec<_> = policy["Statement"].as_array().unwrap()[1..]
        .iter()
        .map(|statement| statement["Condition"]["ArnEquals"]["aws:SourceArn"].as_str().unwrap())
        .collect();
    assert_eq!(sources, [first.arn(), second.arn()]);
    assert_eq!(world.server.calls().of("SetQueueAttributes"), 3, "the third subscription changed nothing");
}

#[tokio::test]
async fn a_policy_that_is_not_understood_is_left_alone_and_nothing_is_subscribed() {
    let world = World::start().await;
    let full: Vec<_> = (0..20).map(|number| json!({ "Sid": number.to_string(), "Effect": "Deny" })).collect();
    let policy = json!({ "Version": "2012-10-17", "Statement": full }).to_string();
    let settings = SqsQueueSettings::new().with_attribute("Policy", policy);
    let queue = SqsQueue::builder(world.sqs.clone()).name("raw").create(settings).build().await.unwrap();
    let topic = world.topic("entity").await;
    let error = topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap_err();
    assert!(
        error.kind() == QueueErrorKind::Permanent && error.message().contains("21 statements"),
        "{error}"
    );
    assert_eq!(world.policy(&queue).await["Statement"], json!(full));
    assert_eq!(world.server.calls().of("Subscribe"), 0);
}

#[tokio::test]
async fn twenty_topics_may_send_to_a_queue_and_the_next_one_is_refused() {
    let world = World::start().await;
    let queue = world.queue("raw").await;
    for number in 0..20 {
        let topic = world.topic(&format!("t{number}")).await;
        topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap();
        topic.publish_one(Outgoing::new("m")).await.unwrap();
    }
    assert_eq!(drain(&queue).await.len(), 20);
    let next = world.topic("t20").await;
    let error = next.subscribe(SnsSubscription::raw(&queue)).await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Permanent, "{error}");
    assert_eq!(world.server.calls().of("Subscribe"), 20);
}

#[tokio::test]
async fn a_policy_that_the_service_finds_full_is_refused_in_its_words() {
    let world = World::start().await;
    let (topic, queue) = (world.topic("entity").await, world.queue("raw").await);
    let full = Fault::error("OverLimit").with_message("51 principals are too many");
    world.server.faults(FaultScript::new([Rule::new(full).with_operation("SetQueueAttributes")]));
    let error = topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Permanent, "{error}");
    assert!(error.message().contains("51 principals are too many"), "{error}");
}

#[tokio::test]
async fn a_queue_that_was_not_looked_up_is_asked_for_its_arn() {
    let world = World::start().await;
    let made = world.queue("raw").await;
    let assumed = SqsQueue::builder(world.sqs.clone()).url(made.url()).assume(SqsQueueSettings::new());
    let assumed = assumed.build().await.unwrap();
    assert_eq!(assumed.arn(), None);
    let topic = world.topic("entity").await;
    topic.subscribe(SnsSubscription::raw(&assumed)).await.unwrap();
    topic.publish_one(Outgoing::new("m")).await.unwrap();
    assert_eq!(bodies(&drain(&made).await), ["m"]);
}
