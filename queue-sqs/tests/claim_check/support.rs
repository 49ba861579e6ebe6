//! What the tests of the claim check have in common.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{
    AttributeValue, Consumer, Delivery, Inspect, Limits, MemoryQueue, Outgoing, PublisherExt, QueueError,
    ReceiveOptions,
};
use queue_sqs::ClaimCheck;
use queue_sqs::object_store::ObjectStore;

use crate::store::FaultyStore;

/// The largest message of the queue behind the claim check.
pub(crate) const SMALL: usize = 1_000;

/// A key as they all choose it.
pub(crate) const KEY: &str = "0b5d6a4e-7a40-4d2c-9d7f-8b5e2a1c6f10";

pub(crate) type Checked = ClaimCheck<MemoryQueue>;

/// A queue that takes small messages.
pub(crate) fn queue() -> MemoryQueue {
    MemoryQueue::builder().limits(Limits::default().with_message_bytes(SMALL)).build().unwrap()
}

pub(crate) fn over(queue: &MemoryQueue, store: &FaultyStore) -> Checked {
    ClaimCheck::new(queue.clone(), shared(store), "bodies")
}

pub(crate) fn shared(store: &FaultyStore) -> Arc<dyn ObjectStore> {
    Arc::new(store.clone())
}

/// A queue, a store, and the claim check over them.
pub(crate) fn checked(store: &FaultyStore) -> (MemoryQueue, Checked) {
    let queue = queue();
    let checked = over(&queue, store);
    (queue, checked)
}

/// A message that is too large for the queue.
pub(crate) fn large(letter: &str) -> Outgoing {
    Outgoing::new(letter.repeat(SMALL + 1))
}

pub(crate) fn at_once() -> ReceiveOptions {
    ReceiveOptions::default().with_wait(Duration::ZERO)
}

pub(crate) async fn receive(queue: &impl Consumer) -> Vec<Delivery> {
    try_receive(queue).await.unwrap()
}

pub(crate) async fn try_receive(queue: &impl Consumer) -> Result<Vec<Delivery>, QueueError> {
    queue.receive(at_once()).await
}

pub(crate) async fn receive_one(queue: &impl Consumer) -> Delivery {
    let mut deliveries = receive(queue).await;
    assert_eq!(deliveries.len(), 1);
    deliveries.remove(0)
}

/// The first letters of the bodies, sorted.
pub(crate) fn letters(deliveries: &[Delivery]) -> String {
    let mut letters: Vec<_> =
        deliveries.iter().filter_map(|each| each.message().body().chars().next()).collect();
    letters.sort_unstable();
    letters.into_iter().collect()
}

/// Publishes to the queue itself a message that points to `key` in `bucket`.
pub(crate) async fn points_to(queue: &MemoryQueue, (bucket, key): (&str, &str)) {
    let body = pointer(bucket, key);
    let message = Outgoing::new(body).with_attribute("ExtendedPayloadSize", AttributeValue::number(5));
    queue.publish_one(message).await.unwrap();
}

pub(crate) fn pointer(bucket: &str, key: &str) -> String {
    format!(
        "[\"software.amazon.payloadoffloading.PayloadS3Pointer\",{{\"s3BucketName\":\"{bucket}\",\"s3Key\":\"{key}\"}}]"
    )
}

pub(crate) async fn total(queue: &MemoryQueue) -> u64 {
    queue.depth().await.unwrap().total()
}
