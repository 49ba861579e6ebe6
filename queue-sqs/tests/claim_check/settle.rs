//! Settling: when a body is removed, and when it is kept.

use std::sync::Arc;
use std::time::Duration;

use queue_core::QueueErrorKind::{Indeterminate, Lost, Transient};
use queue_core::{Coalesced, Consumer, MemoryQueue, Outgoing, PublisherExt, QueueError};
use queue_sqs::ClaimCheck;
use testkit::{CallKind, Fault, Faulty};
use tokio::time::{Instant, sleep};

use crate::store::{Fate, FaultyStore, Op};
use crate::support::{at_once, checked, large, queue, receive, receive_one, shared, total};

const SECOND: Duration = Duration::from_secs(1);

// Q13
#[tokio::test(start_paused = true)]
async fn an_ack_removes_the_body_and_nothing_else_does() {
    let store = FaultyStore::sound();
    let (queue, checked) = checked(&store);
    checked.publish_one(large("a")).await.unwrap();
    receive_one(&checked).await.release(Duration::ZERO).await.unwrap();
    let mut delivery = receive_one(&checked).await;
    delivery.extend(SECOND * 5).await.unwrap();
    drop(delivery);
    sleep(SECOND * 6).await;
    assert_eq!(store.keys().await.len(), 1);
    receive_one(&checked).await.ack().await.unwrap();
    assert_eq!((total(&queue).await, store.keys().await.len()), (0, 0));
    assert_eq!(queue.counts().unsettled_drops, 1, "Q12: the drop was counted once");
}

#[tokio::test(start_paused = true)]
async fn told_so_it_keeps_the_body() {
    let store = FaultyStore::sound();
    let (queue, checked) = checked(&store);
    let checked = checked.with_bodies_kept();
    checked.publish_one(large("a")).await.unwrap();
    receive_one(&checked).await.ack().await.unwrap();
    assert_eq!((total(&queue).await, store.keys().await.len()), (0, 1));
    let refusing =
        Faulty::new(queue, |_, _| Fault::Error(QueueError::permanent("by one subscriber of several")));
    let checked = ClaimCheck::new(refusing, shared(&store), "bodies").with_bodies_kept();
    checked.publish_one(large("b")).await.unwrap_err();
    assert_eq!(store.keys().await.len(), 2);
}

// Q4: somebody else has the message, and needs its body
#[tokio::test(start_paused = true)]
async fn an_ack_that_is_lost_removes_nothing() {
    let store = FaultyStore::sound();
    let (_queue, checked) = checked(&store);
    checked.publish_one(large("a")).await.unwrap();
    let stale = checked.receive(at_once().with_visibility(SECOND)).await.unwrap().remove(0);
    sleep(SECOND * 2).await;
    let other = receive_one(&checked).await;
    assert_eq!(stale.ack().await.unwrap_err().kind(), Lost);
    assert_eq!(store.keys().await.len(), 1);
    other.ack().await.unwrap();
    assert_eq!(store.keys().await.len(), 0);
}

// Q6, Q13
#[tokio::test(start_paused = true)]
async fn an_ack_that_fails_or_whose_answer_is_lost_removes_nothing_and_its_repetition_does() {
    for (fault, kind) in
        [(Fault::Error(QueueError::transient("busy")), Transient), (Fault::Lost, Indeterminate)]
    {
        let store = FaultyStore::sound();
        let script = move |call, number| match (call, number) {
            (CallKind::Delete, 0) => fault.clone(),
            _ => Fault::None,
        };
        let checked = ClaimCheck::new(Faulty::new(queue(), script), shared(&store), "bodies");
        checked.publish_one(large("a")).await.unwrap();
        let failed = receive_one(&checked).await.ack().await.unwrap_err();
        assert_eq!((failed.kind(), store.keys().await.len()), (kind, 1));
        failed.into_delivery().ack().await.unwrap();
        assert_eq!(store.keys().await.len(), 0);
    }
}

// Q6
#[tokio::test(start_paused = true)]
async fn of_a_batch_the_bodies_of_those_that_were_deleted_are_removed() {
    let store = FaultyStore::sound();
    let fault = Fault::Entries(vec![1], QueueError::transient("busy"));
    let script = move |call, _| if call == CallKind::Delete { fault.clone() } else { Fault::None };
    let checked = ClaimCheck::new(Faulty::new(queue(), script), shared(&store), "bodies");
    checked.publish_all(vec![large("a"), large("b"), large("c")]).await;
    let held = receive(&checked).await;
    let receipts = held.iter().map(|delivery| delivery.receipt().clone()).collect();
    let answers = held[0].settler().delete(receipts).await;
    assert_eq!(answers.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
    assert_eq!(store.keys().await.len(), 1);
}

/// The settler of any delivery settles them all, one without a body in the store too.
#[tokio::test(start_paused = true)]
async fn acks_that_are_gathered_remove_every_body() {
    let store = FaultyStore::sound();
    let faulty = Faulty::new(queue(), |_, _| Fault::None);
    let checked = Coalesced::new(ClaimCheck::new(faulty.clone(), shared(&store), "bodies"));
    checked.publish_all(vec![Outgoing::new("s"), large("a"), large("b")]).await;
    let held = receive(&checked).await;
    assert_eq!(held.len(), 3);
    let acks = held.into_iter().map(queue_core::Delivery::ack);
    assert!(futures::future::join_all(acks).await.iter().all(Result::is_ok));
    assert_eq!((faulty.calls_of(CallKind::Delete).len(), store.keys().await.len()), (1, 0));
    checked.flush().await;
}

#[tokio::test(start_paused = true)]
async fn an_ack_waits_a_second_at_most_for_a_removal_and_succeeds_all_the_same() {
    for fate in [Fate::Fails, Fate::Lost, Fate::Hangs, Fate::Unanswered, Fate::Late(SECOND * 60)] {
        let store = FaultyStore::when(Op::Delete, fate);
        let (queue, checked) = checked(&store);
        checked.publish_all(vec![large("a"), large("b")]).await;
        let held = receive(&checked).await;
        let receipts = held.iter().map(|delivery| delivery.receipt().clone()).collect();
        let (settler, start) = (Arc::clone(held[0].settler()), Instant::now());
        assert!(settler.delete(receipts).await.iter().all(Result::is_ok));
        assert!(start.elapsed() <= SECOND, "{fate:?}");
        held.into_iter().for_each(queue_core::Delivery::forget);
        assert_eq!(total(&queue).await, 0);
    }
}

// Q12
#[tokio::test(start_paused = true)]
async fn a_dropped_delivery_is_counted_once_and_its_body_stays() {
    let store = FaultyStore::sound();
    let (queue, checked) = checked(&store);
    checked.publish_one(large("a")).await.unwrap();
    drop(receive_one(&checked).await);
    assert_eq!((queue.counts().unsettled_drops, store.keys().await.len()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_kept_of_deliveries_that_are_gone() {
    let store = FaultyStore::sound();
    let checked = ClaimCheck::new(MemoryQueue::new(), shared(&store), "bodies").with_every_body_stored();
    for number in 0..50 {
        checked.publish_one(Outgoing::new("a")).await.unwrap();
        let delivery = receive_one(&checked).await;
        match number % 3 {
            0 => delivery.ack().await.unwrap(),
            1 => delivery.release(SECOND * 3_600).await.unwrap(),
            _ => delivery.forget(),
        }
    }
    let printed = format!("{checked:?}");
    assert!(!printed.contains("Receipt"), "{printed}");
}
