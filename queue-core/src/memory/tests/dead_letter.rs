//! The way of a message that is delivered too often.

use super::*;
use crate::Limits;

fn pair(max_receive_count: u32) -> (MemoryQueue, MemoryQueue) {
    let dead = MemoryQueue::new();
    let queue = MemoryQueue::builder().dead_letter(dead.clone(), max_receive_count).build().unwrap();
    (queue, dead)
}

async fn fail(queue: &MemoryQueue) {
    take_one(queue).await.release(Duration::ZERO).await.unwrap();
}

// Q7
#[tokio::test(start_paused = true)]
async fn a_message_received_too_often_moves_whole_and_starts_anew() {
    let (queue, dead) = pair(2);
    let sent = Outgoing::new("a").with_attribute("trace", "abc").with_group_key("tenant");
    let id = queue.publish_one(sent.clone()).await.unwrap();
    fail(&queue).await;
    advance(secs(5)).await;
    let second = take_one(&queue).await;
    let sent_at = second.message().sent_at();
    second.release(Duration::ZERO).await.unwrap();
    assert_eq!((depth(&queue).await, depth(&dead).await), (Depth::new(1, 0, 0), Depth::empty()));
    assert!(take(&queue).await.is_empty());
    assert_eq!((depth(&queue).await, depth(&dead).await), (Depth::empty(), Depth::new(1, 0, 0)));
    assert_eq!(queue.counts().dead_lettered, 1);
    let moved = take_one(&dead).await;
    let message = moved.message();
    assert_eq!((message.id(), message.receive_count(), message.sent_at()), (&id, 1, sent_at));
    assert_eq!(message.to_outgoing(), sent);
    moved.ack().await.unwrap();
}

// Q7
#[tokio::test(start_paused = true)]
async fn a_receive_passes_over_what_it_moves_and_still_brings_what_it_asked_for() {
    let (queue, dead) = pair(1);
    publish(&queue, "poison").await;
    fail(&queue).await;
    publish(&queue, "a").await;
    publish(&queue, "b").await;
    let two = queue.receive(ReceiveOptions::new(2)).await.unwrap();
    assert_eq!(bodies(&two), ["a", "b"]);
    assert_eq!(bodies(&take(&dead).await), ["poison"]);
}

// Q7
#[tokio::test(start_paused = true)]
async fn the_last_delivery_can_still_be_settled() {
    let (queue, dead) = pair(1);
    publish(&queue, "a").await;
    let last = take_one(&queue).await;
    advance(secs(30)).await;
    last.ack().await.unwrap();
    assert!(take(&queue).await.is_empty());
    assert_eq!(depth(&dead).await, Depth::empty());
}

// Q4: the message lives on elsewhere, so that it is not deleted
#[tokio::test(start_paused = true)]
async fn a_receipt_of_a_message_that_was_moved_is_lost_until_it_is_gone_there_too() {
    let last_stop = MemoryQueue::new();
    let dead = MemoryQueue::builder().dead_letter(last_stop.clone(), 1).build().unwrap();
    let queue = MemoryQueue::builder().dead_letter(dead.clone(), 1).build().unwrap();
    publish(&queue, "a").await;
    let old = take_one(&queue).await;
    advance(secs(30)).await;
    assert!(take(&queue).await.is_empty());
    assert_eq!(kind(delete(&old).await), QueueErrorKind::Lost);
    assert_eq!(kind(change(&old, secs(1)).await), QueueErrorKind::Lost);
    fail(&dead).await;
    assert!(take(&dead).await.is_empty());
    assert_eq!(kind(delete(&old).await), QueueErrorKind::Lost);
    let moved = take_one(&last_stop).await;
    assert_ne!(moved.receipt(), old.receipt());
    moved.ack().await.unwrap();
    delete(&old).await.unwrap();
    old.forget();
}

// Q5, Q7: the wait at the queue ends the visibility timeout there, which wakes the one at the dead-letter queue
#[tokio::test(start_paused = true)]
async fn a_move_wakes_who_waits_at_the_dead_letter_queue() {
    let (queue, dead) = pair(1);
    publish(&queue, "a").await;
    let mut held = take_one(&queue).await;
    held.extend(secs(7)).await.unwrap();
    let receives = [&dead, &queue].map(|queue| timed(queue.receive(ReceiveOptions::default())));
    let [moved, empty]: [_; 2] = futures::future::join_all(receives).await.try_into().unwrap();
    assert_eq!((moved.0, bodies(&moved.1.unwrap())), (secs(7), vec!["a"]));
    assert_eq!((empty.0, empty.1.unwrap().len()), (secs(20), 0));
}

// Q10: retention counts from when it was sent first
#[tokio::test(start_paused = true)]
async fn a_moved_message_keeps_its_age() {
    let dead = MemoryQueue::builder().retention(secs(600)).build().unwrap();
    let queue = MemoryQueue::builder().dead_letter(dead.clone(), 1).build().unwrap();
    publish(&queue, "old").await;
    advance(secs(590)).await;
    publish(&queue, "older than the dead-letter queue keeps").await;
    fail_all(&queue).await;
    assert_eq!(dead.depth().await.unwrap(), Depth::new(2, 0, 0).with_oldest(Some(secs(590))));
    advance(secs(10)).await;
    assert_eq!((depth(&dead).await, dead.counts().expired), (Depth::new(1, 0, 0), 1));
    publish(&queue, "late").await;
    let late = take_one(&queue).await;
    late.release(secs(700)).await.unwrap();
    advance(secs(700)).await;
    assert!(take(&queue).await.is_empty());
    assert_eq!((depth(&dead).await, dead.counts().expired), (Depth::empty(), 3));
}

async fn fail_all(queue: &MemoryQueue) {
    for delivery in take(queue).await {
        delivery.release(Duration::ZERO).await.unwrap();
    }
    assert!(take(queue).await.is_empty());
}

// Q7: what was stored is not checked again
#[tokio::test(start_paused = true)]
async fn a_dead_letter_queue_with_narrower_limits_takes_it_all_the_same() {
    let limits = Limits::default().with_message_bytes(1);
    let dead = MemoryQueue::builder().limits(limits).delay(secs(60)).build().unwrap();
    let queue = MemoryQueue::builder().dead_letter(dead.clone(), 1).build().unwrap();
    publish(&queue, "long").await;
    fail_all(&queue).await;
    assert_eq!(bodies(&take(&dead).await), ["long"]);
}
