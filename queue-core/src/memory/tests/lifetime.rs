//! What time and purging do to messages, and how many there are.

use super::*;

const DAY: u64 = 24 * 3600;

// Q10
#[tokio::test(start_paused = true)]
async fn a_message_older_than_the_retention_is_gone_and_counted() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    advance(secs(1)).await;
    publish(&queue, "b").await;
    advance(secs(4 * DAY - 2)).await;
    assert_eq!((depth(&queue).await, queue.counts().expired), (Depth::new(2, 0, 0), 0));
    advance(secs(1)).await;
    assert_eq!((bodies(&take(&queue).await), queue.counts().expired), (vec!["b"], 1));
}

// Q10: whatever its state
#[tokio::test(start_paused = true)]
async fn retention_ends_for_what_is_in_flight_or_delayed_too() {
    let queue = MemoryQueue::builder().retention(secs(60)).build().unwrap();
    publish(&queue, "a").await;
    let mut held = take_one(&queue).await;
    held.extend(secs(600)).await.unwrap();
    queue.publish_one(Outgoing::new("b").with_delay(secs(600))).await.unwrap();
    advance(secs(60)).await;
    assert_eq!((queue.counts().expired, depth(&queue).await), (2, Depth::empty()));
    assert_eq!(kind(change(&held, secs(10)).await), QueueErrorKind::Lost);
    held.ack().await.unwrap();
    assert_eq!(queue.counts().expired, 2);
}

#[tokio::test(start_paused = true)]
async fn a_delay_hides_from_the_first_receive_and_a_message_may_override_the_queue() {
    let queue = MemoryQueue::builder().delay(secs(5)).build().unwrap();
    publish(&queue, "queue").await;
    queue.publish_one(Outgoing::new("none").with_delay(Duration::ZERO)).await.unwrap();
    queue.publish_one(Outgoing::new("own").with_delay(secs(2))).await.unwrap();
    assert_eq!(depth(&queue).await, Depth::new(1, 0, 2));
    let mut seen = Vec::new();
    for _ in 0..3 {
        let (after, got) = wait_while(&queue, Duration::ZERO, async {}).await;
        seen.push((after.as_secs(), got[0].message().body().to_owned()));
    }
    assert_eq!(seen, [(0, "none".to_owned()), (2, "own".to_owned()), (3, "queue".to_owned())]);
}

#[tokio::test(start_paused = true)]
async fn the_depth_tells_the_states_apart_and_how_old_the_oldest_is() {
    let queue = MemoryQueue::new();
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
    publish(&queue, "a").await;
    advance(secs(7)).await;
    publish(&queue, "b").await;
    queue.publish_one(Outgoing::new("c").with_delay(secs(900))).await.unwrap();
    let a = queue.receive(ReceiveOptions::new(1)).await.unwrap().remove(0);
    assert_eq!(queue.depth().await.unwrap(), Depth::new(1, 1, 1).with_oldest(Some(secs(7))));
    a.ack().await.unwrap();
    advance(secs(1)).await;
    assert_eq!(queue.depth().await.unwrap(), Depth::new(1, 0, 1).with_oldest(Some(secs(1))));
    advance(secs(899)).await;
    assert_eq!(depth(&queue).await, Depth::new(2, 0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_purge_removes_everything_and_later_settling_changes_nothing() {
    let queue = MemoryQueue::new();
    publish(&queue, "in flight").await;
    let held = take_one(&queue).await;
    publish(&queue, "visible").await;
    queue.publish_one(Outgoing::new("delayed").with_delay(secs(5))).await.unwrap();
    queue.purge().await.unwrap();
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
    assert_eq!(kind(change(&held, secs(10)).await), QueueErrorKind::Lost);
    held.ack().await.unwrap();
    advance(secs(4 * DAY)).await;
    assert_eq!((depth(&queue).await, queue.counts().expired), (Depth::empty(), 0));
    let (after, got) = wait_while(&queue, secs(3), publish(&queue, "new")).await;
    assert_eq!((after, bodies(&got)), (secs(3), vec!["new"]));
}

#[tokio::test(start_paused = true)]
async fn clones_are_the_same_queue() {
    let queue = MemoryQueue::new();
    let clone = queue.clone();
    publish(&queue, "a").await;
    take_one(&clone).await.ack().await.unwrap();
    assert_eq!(depth(&queue).await, Depth::empty());
}

// a delivery outlives the handles it came from
#[tokio::test(start_paused = true)]
async fn a_delivery_can_be_settled_when_the_last_clone_is_gone() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    let delivery = take_one(&queue).await;
    drop(queue);
    delivery.ack().await.unwrap();
}
