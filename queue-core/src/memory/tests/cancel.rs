//! A receive that is dropped at each place where it can wait has taken nothing and passes its call on.

use std::pin::Pin;

use futures::poll;

use super::*;

type Receive<'a> = Pin<Box<dyn Future<Output = Result<Vec<Delivery>, QueueError>> + Send + 'a>>;

/// A receive that has joined the line.
async fn asleep(queue: &MemoryQueue) -> Receive<'_> {
    let mut receive: Receive<'_> = Box::pin(queue.receive(ReceiveOptions::default()));
    assert!(poll!(&mut receive).is_pending());
    receive
}

/// Whether it comes back without any time passing, and with what.
async fn at_once(receive: Receive<'_>) -> usize {
    let (after, answer) = timed(receive).await;
    assert_eq!(after, Duration::ZERO);
    answer.unwrap().len()
}

// Q5: dropped asleep
#[tokio::test(start_paused = true)]
async fn one_that_was_dropped_in_its_sleep_is_not_called() {
    let queue = MemoryQueue::new();
    let [dropped, other] = [asleep(&queue).await, asleep(&queue).await];
    drop(dropped);
    publish(&queue, "a").await;
    assert_eq!(at_once(other).await, 1);
}

// Q5: dropped between the call and its next poll
#[tokio::test(start_paused = true)]
async fn one_that_was_called_and_is_dropped_passes_the_call_on() {
    let queue = MemoryQueue::new();
    let [dropped, other] = [asleep(&queue).await, asleep(&queue).await];
    publish(&queue, "a").await;
    drop(dropped);
    assert_eq!((at_once(other).await, depth(&queue).await), (1, Depth::new(0, 1, 0)));
}

// Q5: dropped while it gives way
#[tokio::test(start_paused = true)]
async fn one_that_is_dropped_while_it_gives_way_leaves_the_message_to_the_first() {
    let queue = MemoryQueue::new();
    let first = asleep(&queue).await;
    publish(&queue, "a").await;
    drop(asleep(&queue).await);
    assert_eq!(depth(&queue).await, Depth::new(1, 0, 0));
    assert_eq!(at_once(first).await, 1);
}

// Q5: dropped while it gives way, after a call of its own
#[tokio::test(start_paused = true)]
async fn a_call_to_one_that_gives_way_is_passed_on_too() {
    let queue = MemoryQueue::new();
    let [first, mut dropped, third] = [asleep(&queue).await, asleep(&queue).await, asleep(&queue).await];
    publish(&queue, "a").await;
    publish(&queue, "b").await;
    assert!(poll!(&mut dropped).is_pending());
    drop(dropped);
    drop(first);
    assert_eq!(at_once(third).await, 2);
}

// Q3, Q5: dropped while it keeps the time
#[tokio::test(start_paused = true)]
async fn the_one_that_kept_the_time_hands_it_over() {
    let queue = MemoryQueue::builder().visibility(secs(5)).build().unwrap();
    publish(&queue, "a").await;
    take_one(&queue).await.forget();
    let [keeper, other] = [asleep(&queue).await, asleep(&queue).await];
    drop(keeper);
    let (after, answer) = timed(other).await;
    assert_eq!((after, answer.unwrap().len()), (secs(5), 1));
}

// Q5: dropped before its first poll, and when tokio makes it wait its turn
#[tokio::test(start_paused = true)]
async fn one_that_is_dropped_before_it_reached_the_queue_takes_nothing() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    drop(queue.receive(ReceiveOptions::default()));
    while poll!(pin!(tokio::task::coop::consume_budget())).is_ready() {}
    drop(asleep(&queue).await);
    assert_eq!(depth(&queue).await, Depth::new(1, 0, 0));
    tokio::task::yield_now().await;
    assert_eq!(at_once(Box::pin(queue.receive(ReceiveOptions::default()))).await, 1);
}

// Q6: a publish that is dropped before it reached the queue stored nothing
#[tokio::test(start_paused = true)]
async fn a_dropped_publish_stores_all_or_nothing() {
    let queue = MemoryQueue::new();
    while poll!(pin!(tokio::task::coop::consume_budget())).is_ready() {}
    assert!(poll!(queue.publish_one(Outgoing::new("a"))).is_pending());
    assert_eq!(depth(&queue).await, Depth::empty());
}
