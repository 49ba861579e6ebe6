//! What receipts can do, fresh, stale and foreign.

use super::*;
use crate::Receipt;

/// A delivery whose time ran out, and the one that superseded it.
async fn superseded(queue: &MemoryQueue) -> (Delivery, Delivery) {
    publish(queue, "a").await;
    let old = take_one(queue).await;
    advance(secs(30)).await;
    (old, take_one(queue).await)
}

// Q4
#[tokio::test(start_paused = true)]
async fn a_stale_receipt_is_lost_and_leaves_the_other_delivery_untouched() {
    let queue = MemoryQueue::new();
    let (old, new) = superseded(&queue).await;
    assert_ne!(old.receipt(), new.receipt());
    assert_eq!(kind(delete(&old).await), QueueErrorKind::Lost);
    assert_eq!(kind(change(&old, Duration::ZERO).await), QueueErrorKind::Lost);
    assert_eq!(kind(change(&old, secs(600)).await), QueueErrorKind::Lost);
    assert_eq!(depth(&queue).await, Depth::new(0, 1, 0));
    advance(secs(30)).await;
    assert_eq!(depth(&queue).await, Depth::new(1, 0, 0));
    new.ack().await.unwrap();
}

// Q4: the error gives the delivery back, and its drop is not counted
#[tokio::test(start_paused = true)]
async fn acking_a_lost_delivery_says_so() {
    let queue = MemoryQueue::new();
    let (old, new) = superseded(&queue).await;
    let error = old.ack().await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Lost);
    drop(error);
    assert_eq!(queue.counts().unsettled_drops, 0);
    new.ack().await.unwrap();
}

// Q4
#[tokio::test(start_paused = true)]
async fn the_latest_receipt_deletes_after_its_time_but_does_not_change_visibility() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    let delivery = take_one(&queue).await;
    advance(secs(30)).await;
    assert_eq!(kind(change(&delivery, secs(30)).await), QueueErrorKind::Lost);
    assert_eq!(depth(&queue).await, Depth::new(1, 0, 0));
    delivery.ack().await.unwrap();
    assert_eq!(depth(&queue).await, Depth::empty());
}

// P36
#[tokio::test(start_paused = true)]
async fn deleting_what_is_deleted_succeeds() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    let delivery = take_one(&queue).await;
    let twice = vec![delivery.receipt().clone(); 2];
    assert!(delivery.settler().delete(twice).await.iter().all(Result::is_ok));
    delete(&delivery).await.unwrap();
    assert_eq!(kind(change(&delivery, secs(1)).await), QueueErrorKind::Lost);
    delivery.ack().await.unwrap();
}

// Q4
#[tokio::test(start_paused = true)]
async fn a_receipt_that_the_queue_never_wrote_is_permanent_and_hurts_no_neighbour() {
    let (queue, other) = (MemoryQueue::new(), MemoryQueue::new());
    publish(&queue, "a").await;
    publish(&other, "b").await;
    let (ours, theirs) = (take_one(&queue).await, take_one(&other).await);
    let foreign = theirs.receipt().clone();
    let message = ours.receipt().as_str().split('/').next().unwrap();
    let forged = Receipt::new(format!("{message}/{}", foreign.as_str().split('/').next_back().unwrap()));
    let batch = vec![Receipt::new("garbage"), foreign.clone(), forged, ours.receipt().clone()];
    let answers = ours.settler().delete(batch).await;
    let kinds: Vec<_> = answers.into_iter().map(|answer| answer.err().map(|error| error.kind())).collect();
    let permanent = Some(QueueErrorKind::Permanent);
    assert_eq!(kinds, [permanent, permanent, permanent, None]);
    let answer = ours.settler().change_visibility(vec![(foreign, secs(1))]).await.remove(0);
    assert!(answer.unwrap_err().message().contains("was not written by this queue"));
}

// Q3, P2
#[tokio::test(start_paused = true)]
async fn a_message_is_hidden_for_twelve_hours_at_most_from_its_receive() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    let mut delivery = take_one(&queue).await;
    let error = delivery.extend(secs(43_201)).await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Permanent);
    assert!(error.message().contains("43201s") && error.message().contains("43200s allowed"), "{error}");
    delivery.extend(secs(43_200)).await.unwrap();
    advance(secs(3600)).await;
    assert_eq!(delivery.extend(secs(39_601)).await.unwrap_err().kind(), QueueErrorKind::Permanent);
    delivery.extend(secs(39_600)).await.unwrap();
    delivery.release(Duration::ZERO).await.unwrap();
    let mut again = take_one(&queue).await;
    again.extend(secs(43_200)).await.unwrap();
}

// Q3
#[tokio::test(start_paused = true)]
async fn an_extension_counts_from_now_and_may_shorten() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    let mut delivery = take_one(&queue).await;
    advance(secs(20)).await;
    delivery.extend(secs(30)).await.unwrap();
    advance(secs(29)).await;
    assert!(take(&queue).await.is_empty());
    delivery.extend(secs(2)).await.unwrap();
    advance(secs(2)).await;
    assert_eq!(take(&queue).await.len(), 1);
}

// Q3
#[tokio::test(start_paused = true)]
async fn a_released_message_is_in_flight_until_its_delay_ends() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    let delivery = take_one(&queue).await;
    let late = delivery.receipt().clone();
    let settler = std::sync::Arc::clone(delivery.settler());
    delivery.release(secs(5)).await.unwrap();
    assert_eq!(depth(&queue).await, Depth::new(0, 1, 0));
    assert!(settler.change_visibility(vec![(late.clone(), secs(6))]).await[0].is_ok());
    advance(secs(6)).await;
    assert_eq!(depth(&queue).await, Depth::new(1, 0, 0));
    assert!(settler.delete(vec![late]).await[0].is_ok());
}

// Q6
#[tokio::test(start_paused = true)]
async fn a_settle_batch_reports_every_entry_and_an_overlong_one_does_nothing() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    let delivery = take_one(&queue).await;
    let settler = delivery.settler();
    assert!(settler.delete(Vec::new()).await.is_empty());
    assert!(settler.change_visibility(Vec::new()).await.is_empty());
    let answers = settler.delete(vec![delivery.receipt().clone(); 11]).await;
    assert_eq!(answers.len(), 11);
    for answer in answers {
        assert_eq!(answer.unwrap_err().to_string(), "permanent: the batch has 11 entries, 10 are allowed");
    }
    let changes = settler.change_visibility(vec![(delivery.receipt().clone(), Duration::ZERO); 11]).await;
    assert!(changes.into_iter().all(|answer| kind(answer) == QueueErrorKind::Permanent));
    assert_eq!(depth(&queue).await, Depth::new(0, 1, 0));
}
