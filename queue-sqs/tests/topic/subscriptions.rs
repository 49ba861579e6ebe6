//! Subscribing, changing a subscription, and ending it.

use queue_core::{Filter, Outgoing, PublisherExt, QueueErrorKind};
use queue_sqs::{SnsSubscription, SqsQueue};
use serde_json::{Value, json};

use crate::world::{World, bodies, drain};

async fn delete(world: &World, queue: &SqsQueue) {
    world.sqs.delete_queue().queue_url(queue.url()).send().await.unwrap();
}

#[tokio::test]
async fn subscribing_again_changes_the_subscription_and_makes_no_other() {
    let world = World::start().await;
    let (topic, queue, dead) =
        (world.topic("entity").await, world.queue("raw").await, world.queue("dead").await);
    let raw = SnsSubscription::raw(&queue);
    let books = raw.clone().with_filter(Filter::new().with("type", ["book"])).with_dead_letter_queue(&dead);
    for (subscription, is_raw, is_filtered) in [
        (books.clone(), "true", true),
        (books, "true", true),
        (SnsSubscription::enveloped(&queue), "false", false),
        (raw.clone().with_filter(Filter::new().with("type", ["book"])), "true", true),
        (raw, "true", false),
    ] {
        topic.subscribe(subscription).await.unwrap();
        let is = world.subscription(&topic).await;
        assert_eq!(is["RawMessageDelivery"], is_raw);
        let filter = is.get("FilterPolicy").filter(|filter| *filter != "{}");
        let filter: Option<Value> = filter.map(|filter| serde_json::from_str(filter).unwrap());
        assert_eq!(filter, is_filtered.then(|| json!({ "type": ["book"] })));
    }
    assert!(world.subscription(&topic).await.get("RedrivePolicy").is_none_or(String::is_empty));
}

#[tokio::test]
async fn a_subscription_that_is_as_it_should_be_costs_no_change() {
    let world = World::start().await;
    let (topic, queue) = (world.topic("entity").await, world.queue("raw").await);
    let subscription = SnsSubscription::raw(&queue).with_filter(Filter::new().with("type", ["book"]));
    topic.subscribe(subscription.clone()).await.unwrap();
    world.server.reset_calls();
    topic.subscribe(subscription).await.unwrap();
    let calls = world.server.calls();
    let changes = ["SetQueueAttributes", "SetSubscriptionAttributes"];
    assert_eq!(changes.map(|operation| calls.of(operation)), [0, 0]);
    assert_eq!(calls.setup.values().sum::<u64>(), 3, "{calls:?}");
}

#[tokio::test]
async fn what_a_queue_cannot_take_goes_to_the_subscriptions_dead_letter_queue() {
    let world = World::start().await;
    let topic = world.topic("entity").await;
    let (queue, dead) = (world.queue("raw").await, world.queue("dead").await);
    topic.subscribe(SnsSubscription::raw(&queue).with_dead_letter_queue(&dead)).await.unwrap();
    delete(&world, &queue).await;
    topic.publish_one(Outgoing::new("m").with_attribute("type", "book")).await.unwrap();
    let copies = drain(&dead).await;
    assert_eq!((bodies(&copies), copies[0].attributes().text("type")), (vec!["m"], Some("book")));
}

#[tokio::test]
async fn a_dead_letter_queue_by_its_arn_keeps_its_own_policy() {
    let world = World::start().await;
    let topic = world.topic("entity").await;
    let (queue, dead) = (world.queue("raw").await, world.queue("dead").await);
    let subscription = SnsSubscription::raw(&queue).with_dead_letter_arn(dead.arn().unwrap());
    topic.subscribe(subscription).await.unwrap();
    assert!(world.policy(&dead).await.is_null());
    let redrive: Value = serde_json::from_str(&world.subscription(&topic).await["RedrivePolicy"]).unwrap();
    assert_eq!(redrive, json!({ "deadLetterTargetArn": dead.arn() }));
}

#[tokio::test]
async fn unsubscribing_ends_the_copies_and_takes_back_the_statement_and_no_other() {
    let world = World::start().await;
    let (topic, other) = (world.topic("entity").await, world.topic("other").await);
    let (queue, stays) = (world.queue("raw").await, world.queue("stays").await);
    for topic in [&topic, &other] {
        topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap();
    }
    topic.subscribe(SnsSubscription::raw(&stays)).await.unwrap();
    assert!(topic.unsubscribe(&queue).await.unwrap());
    assert!(!topic.unsubscribe(&queue).await.unwrap(), "there is none any more");
    topic.publish_one(Outgoing::new("m0")).await.unwrap();
    other.publish_one(Outgoing::new("m1")).await.unwrap();
    assert_eq!(bodies(&drain(&queue).await), ["m1"]);
    assert_eq!(bodies(&drain(&stays).await), ["m0"]);
    assert_eq!(world.policy(&queue).await["Statement"].as_array().map(Vec::len), Some(1));
    assert!(other.unsubscribe(&queue).await.unwrap());
    assert!(world.policy(&queue).await.is_null(), "the last statement takes the policy with it");
}

#[tokio::test]
async fn a_topic_or_a_queue_that_is_gone_passes_as_it_may_be_made() {
    let world = World::start().await;
    let (topic, queue) = (world.topic("entity").await, world.queue("raw").await);
    world.sns.delete_topic().topic_arn(topic.arn()).send().await.unwrap();
    let errors = [
        topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap_err(),
        topic.publish_one(Outgoing::new("m")).await.unwrap_err().into_error(),
    ];
    assert!(errors.iter().all(|error| error.kind() == QueueErrorKind::Transient), "{errors:?}");
    let topic = world.topic("entity").await;
    delete(&world, &queue).await;
    let error = topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Transient);
}
