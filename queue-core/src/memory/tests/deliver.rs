//! What a delivery is: hidden, numbered, ordered, whole.

use super::*;
use crate::AttributeValue;

// Q3
#[tokio::test(start_paused = true)]
async fn a_delivery_is_hidden_until_its_time_ends_and_then_comes_back() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    let first = take_one(&queue).await;
    advance(Duration::from_millis(29_999)).await;
    assert!(take(&queue).await.is_empty());
    advance(Duration::from_millis(1)).await;
    assert_eq!(take_one(&queue).await.message().body(), "a");
    first.forget();
}

// Q3
#[tokio::test(start_paused = true)]
async fn a_deleted_message_never_comes_back() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    take_one(&queue).await.ack().await.unwrap();
    advance(secs(24 * 3600)).await;
    assert!(take(&queue).await.is_empty());
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
}

// Q3
#[tokio::test(start_paused = true)]
async fn the_visibility_of_the_receive_comes_before_that_of_the_queue() {
    let queue = MemoryQueue::builder().visibility(secs(10)).build().unwrap();
    publish(&queue, "a").await;
    let delivery = take_one(&queue).await;
    assert_eq!((delivery.visibility(), delivery.hidden_until()), (secs(10), Instant::now() + secs(10)));
    delivery.release(Duration::ZERO).await.unwrap();
    let delivery = queue.receive(short().with_visibility(secs(3))).await.unwrap().remove(0);
    assert_eq!(delivery.visibility(), secs(3));
    advance(secs(3)).await;
    assert_eq!(take(&queue).await.len(), 1);
}

// Q3: the message stays visible and its receipt can only delete
#[tokio::test(start_paused = true)]
async fn a_visibility_of_zero_hides_nothing_and_delivers_once_in_one_receive() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    let peeked = queue.receive(short().with_visibility(Duration::ZERO)).await.unwrap();
    assert_eq!((bodies(&peeked), depth(&queue).await), (vec!["a"], Depth::new(1, 0, 0)));
    assert_eq!(kind(change(&peeked[0], secs(5)).await), QueueErrorKind::Lost);
    delete(&peeked[0]).await.unwrap();
    assert_eq!(depth(&queue).await, Depth::empty());
}

// Q7
#[tokio::test(start_paused = true)]
async fn the_receive_count_rises_by_one_with_each_delivery() {
    let queue = MemoryQueue::new();
    let id = publish(&queue, "a").await;
    for count in 1..=5 {
        let delivery = take_one(&queue).await;
        assert_eq!((delivery.message().id(), delivery.message().receive_count()), (&id, count));
        delivery.release(Duration::ZERO).await.unwrap();
    }
}

// Q7
#[tokio::test(start_paused = true)]
async fn body_attributes_group_and_sent_time_come_as_they_were_sent() {
    let queue = MemoryQueue::new();
    let sent = Outgoing::new("\t<ä>\r\n&\"")
        .with_attribute("trace", "abc")
        .with_attribute("price", AttributeValue::number("1.50"))
        .with_group_key("tenant");
    queue.publish_one(sent.clone()).await.unwrap();
    let first = take_one(&queue).await;
    assert_eq!(first.message().to_outgoing(), sent);
    publish(&queue, "later").await;
    advance(secs(5)).await;
    publish(&queue, "latest").await;
    let others = take(&queue).await;
    let [later, latest] = [0, 1].map(|n: usize| others[n].message().sent_at().unwrap());
    assert_eq!(first.message().sent_at(), Some(later));
    assert_eq!(latest.duration_since(later).unwrap(), secs(5));
}

#[tokio::test(start_paused = true)]
async fn messages_come_in_the_order_in_which_they_became_visible() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    let a = take_one(&queue).await;
    advance(secs(1)).await;
    publish(&queue, "b").await;
    publish(&queue, "c").await;
    advance(secs(1)).await;
    a.release(Duration::ZERO).await.unwrap();
    assert_eq!(bodies(&take(&queue).await), ["b", "c", "a"]);
}

#[tokio::test(start_paused = true)]
async fn a_receive_brings_no_more_than_it_asked_for() {
    let queue = MemoryQueue::new();
    for body in ["a", "b", "c"] {
        publish(&queue, body).await;
    }
    let two = ReceiveOptions::new(2);
    assert_eq!(bodies(&queue.receive(two.clone()).await.unwrap()), ["a", "b"]);
    assert_eq!(bodies(&queue.receive(two).await.unwrap()), ["c"]);
}

// Q12
#[tokio::test(start_paused = true)]
async fn a_dropped_delivery_is_counted_and_comes_back_at_its_timeout() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    drop(take_one(&queue).await);
    assert_eq!((queue.counts().unsettled_drops, depth(&queue).await), (1, Depth::new(0, 1, 0)));
    let (after, again) = wait_while(&queue, Duration::ZERO, async {}).await;
    assert_eq!((after, again.len()), (secs(20), 0));
    advance(secs(10)).await;
    take_one(&queue).await.ack().await.unwrap();
    assert_eq!(queue.counts().unsettled_drops, 1);
}

#[tokio::test(start_paused = true)]
async fn a_printed_delivery_shows_how_full_its_queue_is_and_not_the_messages() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    publish(&queue, "secret").await;
    let delivery = queue.receive(ReceiveOptions::new(1)).await.unwrap().remove(0);
    let printed = format!("{delivery:?} {queue:?}");
    assert!(printed.contains("visible: 1, in_flight: 1") && !printed.contains("secret"), "{printed}");
}
