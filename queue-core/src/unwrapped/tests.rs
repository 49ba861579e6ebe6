//! What a consumer of envelopes sees.

use std::time::Duration;

use crate::{
    Consumer, Delivery, Depth, Inspect, Limits, MemoryQueue, MemoryTopic, Outgoing, Publisher, PublisherExt,
    ReceiveOptions, Subscription, Unwrapped,
};

async fn take(queue: &impl Consumer) -> Delivery {
    let mut deliveries = queue.receive(ReceiveOptions::default().with_wait(Duration::ZERO)).await.unwrap();
    assert_eq!(deliveries.len(), 1);
    deliveries.remove(0)
}

async fn subscribed() -> (MemoryTopic, MemoryQueue) {
    let (topic, queue) = (MemoryTopic::new("entity"), MemoryQueue::new());
    topic.subscribe(Subscription::enveloped("search", queue.clone())).unwrap();
    topic.publish_one(Outgoing::new("hi").with_group_key("tenant")).await.unwrap();
    (topic, queue)
}

// Q3, Q4
#[tokio::test(start_paused = true)]
async fn a_message_is_settled_as_if_it_had_not_been_unwrapped() {
    let (_topic, inner) = subscribed().await;
    let queue = Unwrapped::new(inner.clone());
    take(&queue).await.release(Duration::ZERO).await.unwrap();
    let mut delivery = take(&queue).await;
    assert_eq!((delivery.message().receive_count(), delivery.message().group_key()), (2, Some("tenant")));
    assert!(delivery.message().sent_at().is_some());
    delivery.extend(Duration::from_mins(1)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(45)).await;
    assert_eq!(queue.depth().await.unwrap().in_flight, 1);
    delivery.ack().await.unwrap();
    assert_eq!(inner.depth().await.unwrap(), Depth::empty());
}

// Q12
#[tokio::test(start_paused = true)]
async fn a_dropped_delivery_is_counted_once() {
    let (_topic, inner) = subscribed().await;
    drop(take(&Unwrapped::new(inner.clone())).await);
    assert_eq!(inner.counts().unsettled_drops, 1);
}

// W14
#[tokio::test(start_paused = true)]
async fn a_body_that_is_no_envelope_comes_as_it_is_and_the_others_unwrapped() {
    let (_topic, inner) = subscribed().await;
    let queue = Unwrapped::new(inner.clone());
    let noise = Outgoing::new("{".repeat(100_000)).with_attribute("type", "noise");
    queue.publish_one(noise.clone()).await.unwrap();
    let deliveries = queue.receive(ReceiveOptions::default()).await.unwrap();
    let messages: Vec<_> = deliveries.iter().map(|delivery| delivery.message().to_outgoing()).collect();
    assert_eq!(messages, [Outgoing::new("hi").with_group_key("tenant"), noise]);
    for delivery in deliveries {
        delivery.ack().await.unwrap();
    }
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
}

#[tokio::test(start_paused = true)]
async fn only_the_queue_that_was_told_so_unwraps() {
    let (_topic, inner) = subscribed().await;
    let delivery = take(&inner).await;
    assert!(delivery.message().body().starts_with('{'));
    delivery.ack().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn limits_and_purge_are_those_of_the_queue() {
    let inner = MemoryQueue::builder()
        .visibility(Duration::from_secs(7))
        .limits(Limits::default().with_batch(3))
        .build()
        .unwrap();
    let queue = Unwrapped::new(inner.clone());
    assert_eq!((queue.limits(), queue.receive_limits()), (inner.limits(), inner.receive_limits()));
    queue.publish_one(Outgoing::new("hi")).await.unwrap();
    queue.purge().await.unwrap();
    assert_eq!(queue.queue().depth().await.unwrap(), Depth::empty());
}
