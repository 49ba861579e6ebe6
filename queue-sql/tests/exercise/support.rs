//! What the tests have in common: sending words, taking them, and waiting for what has to come.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{
    Consumer, Delivery, Depth, Inspect, MessageId, Outgoing, Publisher, PublisherExt, ReceiveOptions,
    Rejected,
};
use queue_sql::{SqlQueue, SqlStore as Store};
use tokio::time::{Instant, sleep};

pub(crate) const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(crate) const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A message of an ordered queue: the first letter of its body is its group, the body its deduplication id.
pub(crate) fn grouped(body: &str) -> Outgoing {
    Outgoing::new(body).with_group_key(&body[..1]).with_deduplication_id(body)
}

/// What a queue takes: with a group if it is ordered.
pub(crate) fn message(queue: &impl Publisher, body: &str) -> Outgoing {
    if queue.limits().ordered { grouped(body) } else { Outgoing::new(body) }
}

/// Publishes the words of `bodies`, one by one.
pub(crate) async fn send(queue: &impl Publisher, bodies: &str) -> Vec<MessageId> {
    let mut ids = Vec::new();
    for body in bodies.split(' ') {
        let answer = queue.publish_one(message(queue, body)).await;
        ids.push(answer.map_err(Rejected::into_error).unwrap());
    }
    ids
}

/// Publishes many messages, all of which have to be taken.
pub(crate) async fn send_all(queue: &impl Publisher, messages: Vec<Outgoing>) {
    for answer in queue.publish_all(messages).await {
        answer.map_err(Rejected::into_error).unwrap();
    }
}

/// What can be received now, ten at most, for a minute.
pub(crate) async fn take(queue: &impl Consumer) -> Vec<Delivery> {
    take_for(queue, 10, secs(60)).await
}

/// What can be received now, `most` at most, for `visibility`.
pub(crate) async fn take_for(queue: &impl Consumer, most: usize, visibility: Duration) -> Vec<Delivery> {
    let options = ReceiveOptions::new(most).with_wait(Duration::ZERO).with_visibility(visibility);
    queue.receive(options).await.unwrap()
}

/// The one message that can be received now.
pub(crate) async fn take_one(queue: &impl Consumer) -> Delivery {
    let mut taken = take(queue).await;
    assert_eq!(taken.len(), 1, "{:?}", words(&taken));
    taken.remove(0)
}

/// The bodies, in the order in which they came.
pub(crate) fn words(deliveries: &[Delivery]) -> Vec<&str> {
    deliveries.iter().map(|delivery| delivery.message().body()).collect()
}

/// Deletes them in one call.
pub(crate) async fn delete(deliveries: Vec<Delivery>) {
    let Some(settler) = deliveries.first().map(|delivery| Arc::clone(delivery.settler())) else { return };
    let receipts = deliveries.iter().map(|delivery| delivery.receipt().clone()).collect();
    for answer in settler.delete(receipts).await {
        answer.unwrap();
    }
    deliveries.into_iter().for_each(Delivery::forget);
}

/// Makes them visible again at once, the last first.
pub(crate) async fn give_back(deliveries: Vec<Delivery>) {
    for delivery in deliveries.into_iter().rev() {
        delivery.release(Duration::ZERO).await.unwrap();
    }
}

/// How many messages there are, by state.
pub(crate) async fn depth(queue: &impl Inspect) -> Depth {
    queue.depth().await.unwrap().with_oldest(None)
}

/// Receives and deletes until nothing comes any longer; the bodies in order.
pub(crate) async fn drain<S: Store>(queue: &SqlQueue<S>) -> Vec<String> {
    let mut bodies = Vec::new();
    loop {
        let taken = take(queue).await;
        if taken.is_empty() {
            return bodies;
        }
        bodies.extend(words(&taken).into_iter().map(str::to_owned));
        delete(taken).await;
    }
}

/// Waits until it is so; fails if it is not within half a minute.
pub(crate) async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let last = Instant::now() + secs(30);
    while !is_so().await {
        assert!(Instant::now() < last, "not within half a minute: {what}");
        sleep(millis(20)).await;
    }
}
