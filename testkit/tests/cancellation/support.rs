//! What the scenarios have in common: messages, and looking at what is left of them.

use std::collections::BTreeMap;
use std::pin::pin;
use std::time::Duration;

use futures::poll;
use queue_core::{
    Consumer, Delivery, Inspect, MemoryQueue, Outgoing, Publisher, PublisherExt, ReceiveOptions,
};
use testkit::Run;
use tokio::task::coop::consume_budget;
use tokio::time::{Instant, sleep};

pub(crate) const LEASE: Duration = Duration::from_secs(30);

pub(crate) fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A message with that body, which an ordered queue takes too.
pub(crate) fn message(body: &str) -> Outgoing {
    Outgoing::new(body).with_group_key("group")
}

pub(crate) async fn publish(queue: &impl Publisher, bodies: &[&str]) {
    for body in bodies {
        queue.publish_one(message(body)).await.unwrap();
    }
}

/// Takes what is there at once.
pub(crate) async fn take(queue: &impl Consumer) -> Vec<Delivery> {
    queue.receive(ReceiveOptions::default().with_wait(Duration::ZERO)).await.unwrap()
}

/// Takes the only message that is there.
pub(crate) async fn take_one(queue: &impl Consumer) -> Delivery {
    let mut taken = take(queue).await;
    assert_eq!(taken.len(), 1);
    taken.remove(0)
}

/// How often each body is stored: everything that comes, once all timeouts have ended.
pub(crate) async fn stored(queue: &MemoryQueue) -> BTreeMap<String, usize> {
    sleep(LEASE * 10).await;
    let mut stored = BTreeMap::new();
    loop {
        let taken = take(queue).await;
        if taken.is_empty() {
            assert_eq!(queue.depth().await.unwrap().total(), 0);
            return stored;
        }
        for delivery in taken {
            *stored.entry(delivery.message().body().to_owned()).or_default() += 1;
            delivery.ack().await.unwrap();
        }
    }
}

/// How many of the stored messages have that body.
pub(crate) fn count(stored: &BTreeMap<String, usize>, body: &str) -> usize {
    stored.get(body).copied().unwrap_or_default()
}

/// The answer and how long it took.
pub(crate) async fn timed<F: Future>(future: F) -> (Duration, F::Output) {
    let start = Instant::now();
    let output = future.await;
    (start.elapsed(), output)
}

/// Lets the next call find that its task has to give way to others first, or not.
pub(crate) async fn spend_budget(run: &Run) {
    if run.choose("the task's budget is", &["left", "spent"]) == 1 {
        while poll!(pin!(consume_budget())).is_ready() {}
    }
}
