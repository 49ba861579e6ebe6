//! The guarantees at the queue's face, on a paused clock.

mod attempts;
mod build;
mod cancel;
mod cap;
mod change;
mod clock;
mod dead_letter;
mod deduplication;
mod deliver;
mod groups;
mod lifetime;
mod line;
mod model;
mod ordered_dead_letter;
mod ordered_model;
mod publish;
mod settle;
mod stress;
mod wait;

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use tokio::time::{Instant, advance};

use super::MemoryQueue;
use crate::{
    Consumer, Delivery, Depth, Inspect, MessageId, Outgoing, PublisherExt, QueueError, QueueErrorKind,
    ReceiveOptions,
};

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Asks for ten messages and doesn't wait.
fn short() -> ReceiveOptions {
    ReceiveOptions::default().with_wait(Duration::ZERO)
}

/// An ordered queue with the defaults.
fn fifo() -> MemoryQueue {
    MemoryQueue::builder().ordered().build().unwrap()
}

/// A message of an ordered queue: the first letter of its body is its group, the body is its deduplication id.
fn outgoing(body: &str) -> Outgoing {
    Outgoing::new(body).with_group_key(&body[..1]).with_deduplication_id(body)
}

/// Publishes the words of `bodies` on an ordered queue.
async fn send(queue: &MemoryQueue, bodies: &str) {
    for body in bodies.split(' ') {
        queue.publish_one(outgoing(body)).await.unwrap();
    }
}

/// Takes up to `max` of what is there.
async fn receive(queue: &MemoryQueue, max: usize) -> Vec<Delivery> {
    queue.receive(ReceiveOptions::new(max).with_wait(Duration::ZERO)).await.unwrap()
}

async fn publish(queue: &MemoryQueue, body: &str) -> MessageId {
    queue.publish_one(Outgoing::new(body)).await.unwrap()
}

/// Takes what is there.
async fn take(queue: &MemoryQueue) -> Vec<Delivery> {
    queue.receive(short()).await.unwrap()
}

/// Takes the one message that is there.
async fn take_one(queue: &MemoryQueue) -> Delivery {
    let mut deliveries = take(queue).await;
    assert_eq!(deliveries.len(), 1, "{deliveries:?}");
    deliveries.remove(0)
}

/// Settles through the backend, as a receiver's renewal does.
async fn delete(delivery: &Delivery) -> Result<(), QueueError> {
    delivery.settler().delete(vec![delivery.receipt().clone()]).await.remove(0)
}

async fn change(delivery: &Delivery, visibility: Duration) -> Result<(), QueueError> {
    delivery.settler().change_visibility(vec![(delivery.receipt().clone(), visibility)]).await.remove(0)
}

fn kind(answer: Result<(), QueueError>) -> QueueErrorKind {
    answer.unwrap_err().kind()
}

fn bodies(deliveries: &[Delivery]) -> Vec<&str> {
    deliveries.iter().map(|delivery| delivery.message().body()).collect()
}

/// The depth by state alone.
async fn depth(queue: &MemoryQueue) -> Depth {
    queue.depth().await.unwrap().with_oldest(None)
}

/// How long a future takes by the paused clock, and its answer.
async fn timed<F: Future>(future: F) -> (Duration, F::Output) {
    let start = Instant::now();
    let answer = future.await;
    (start.elapsed(), answer)
}

/// Runs `other` after `delay`, while a default receive waits; answers when the receive came back, and with what.
async fn wait_while<F: Future>(queue: &MemoryQueue, delay: Duration, other: F) -> (Duration, Vec<Delivery>) {
    let later = async {
        tokio::time::sleep(delay).await;
        other.await
    };
    let receive = timed(queue.receive(ReceiveOptions::default()));
    let ((after, answer), _other) = futures::join!(receive, later);
    (after, answer.unwrap())
}
