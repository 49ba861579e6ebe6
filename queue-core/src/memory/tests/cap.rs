//! The cap on messages in flight.

use super::*;

/// A queue of two messages with room for one in flight, which is taken.
async fn full() -> (MemoryQueue, Delivery) {
    let queue = MemoryQueue::builder().in_flight(1).build().unwrap();
    publish(&queue, "a").await;
    publish(&queue, "b").await;
    let held = take_one(&queue).await;
    (queue, held)
}

#[tokio::test(start_paused = true)]
async fn at_the_cap_a_short_poll_is_a_passing_error_and_a_long_one_comes_back_empty() {
    let (queue, held) = full().await;
    let error = queue.receive(short()).await.unwrap_err();
    assert_eq!(error.to_string(), "transient: 1 messages are in flight, the most that the queue allows");
    assert!(error.kind().is_passing());
    let (after, got) = wait_while(&queue, Duration::ZERO, async {}).await;
    assert_eq!((after, got.len()), (secs(20), 0));
    held.ack().await.unwrap();
    assert_eq!(bodies(&take(&queue).await), ["b"]);
}

#[tokio::test(start_paused = true)]
async fn a_receive_takes_no_more_than_there_is_room_for() {
    let queue = MemoryQueue::builder().in_flight(3).build().unwrap();
    for body in ["a", "b", "c", "d"] {
        publish(&queue, body).await;
    }
    assert_eq!(take(&queue).await.len(), 3);
}

// Q5
#[tokio::test(start_paused = true)]
async fn room_made_by_a_delete_wakes() {
    let (queue, held) = full().await;
    let (after, got) = wait_while(&queue, secs(3), held.ack()).await;
    assert_eq!((after, bodies(&got)), (secs(3), vec!["b"]));
}

// Q5
#[tokio::test(start_paused = true)]
async fn room_made_by_a_release_wakes() {
    let (queue, held) = full().await;
    let (after, got) = wait_while(&queue, secs(3), held.release(Duration::ZERO)).await;
    assert_eq!((after, bodies(&got)), (secs(3), vec!["b"]));
}

// Q5
#[tokio::test(start_paused = true)]
async fn room_made_by_the_end_of_a_visibility_timeout_wakes() {
    let (queue, mut held) = full().await;
    held.extend(secs(6)).await.unwrap();
    let (after, got) = wait_while(&queue, Duration::ZERO, async {}).await;
    assert_eq!((after, bodies(&got)), (secs(6), vec!["b"]));
    assert!(queue.receive(short()).await.is_err());
}

// Q3: what is visible again takes no room
#[tokio::test(start_paused = true)]
async fn an_expired_delivery_takes_no_room() {
    let (queue, held) = full().await;
    advance(secs(30)).await;
    assert_eq!(bodies(&take(&queue).await), ["b"]);
    held.forget();
}
