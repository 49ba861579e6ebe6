//! Bodies that can't be had, now or later, and pointers to what is not ours.

use std::time::Duration;

use queue_core::{AttributeValue, MemoryQueue, Outgoing, PublisherExt};
use queue_sqs::object_store::ObjectStoreExt;
use queue_sqs::object_store::path::Path;
use tokio::time::sleep;

use crate::store::{FaultyStore, Op};
use crate::support::{
    KEY, SMALL, large, letters, over, pointer, points_to, receive, receive_one, shared, total,
};

const SECOND: Duration = Duration::from_secs(1);

/// A queue that gives up after two receives, and its dead-letter queue.
fn with_dead_letter() -> (MemoryQueue, MemoryQueue) {
    let dead = MemoryQueue::new();
    (MemoryQueue::builder().dead_letter(dead.clone(), 2).build().unwrap(), dead)
}

/// Receives until the message would come no more; nothing is ever handed out.
async fn never_comes(checked: &impl queue_core::Consumer) {
    for _receive in 0..3 {
        assert_eq!(letters(&receive(checked).await), "", "a handler may not see it");
        sleep(SECOND * 31).await;
    }
}

// Q7: not lost in silence
#[tokio::test(start_paused = true)]
async fn a_message_whose_body_is_missing_ends_in_the_dead_letter_queue_with_its_pointer() {
    let store = FaultyStore::sound();
    let (queue, dead) = with_dead_letter();
    let checked = over(&queue, &store);
    points_to(&queue, ("bodies", KEY)).await;
    never_comes(&checked).await;
    let raw = receive_one(&dead).await;
    assert_eq!((raw.message().body(), total(&queue).await), (&*pointer("bodies", KEY), 0));
    assert_eq!(raw.message().attributes().text("ExtendedPayloadSize"), Some("5"));
    assert_eq!(queue.counts().unsettled_drops, 0);
}

// Q7: what lies in the store is input too
#[tokio::test(start_paused = true)]
async fn a_body_that_is_no_text_or_too_large_is_not_handed_out() {
    for body in [b"\xff\xfe".to_vec(), vec![b'x'; SMALL + 1]] {
        let store = FaultyStore::sound();
        store.holds(KEY, body).await;
        let (queue, dead) = with_dead_letter();
        points_to(&queue, ("bodies", KEY)).await;
        never_comes(&over(&queue, &store).with_largest(SMALL)).await;
        assert_eq!((total(&dead).await, store.keys().await.len()), (1, 1), "and is there still");
    }
}

#[tokio::test(start_paused = true)]
async fn a_broken_message_holds_up_no_other() {
    let store = FaultyStore::sound();
    let (queue, _dead) = with_dead_letter();
    let checked = over(&queue, &store).with_every_body_stored();
    points_to(&queue, ("bodies", KEY)).await;
    checked.publish_one(Outgoing::new("b")).await.unwrap();
    assert_eq!(letters(&receive(&checked).await), "b");
}

// Q11 from the other side: a pointer is input
#[tokio::test(start_paused = true)]
async fn no_pointer_reaches_out_of_the_bucket_or_the_folder() {
    let outside = [
        "secret",
        "visits",
        "visits-2/secret",
        "visits/../secret",
        "/visits/key",
        "visits//key",
        "visits/",
        "",
    ];
    for key in outside {
        let store = FaultyStore::sound();
        for key in ["secret", "visits", "visits-2/secret", "visits/key"] {
            store.holds(key, "the crown jewels").await;
        }
        let (queue, dead) = with_dead_letter();
        points_to(&queue, ("bodies", key)).await;
        never_comes(&over(&queue, &store).with_folder("visits").with_any_key()).await;
        assert_eq!((total(&dead).await, store.calls(Op::Get), store.keys().await.len()), (1, 0, 4), "{key}");
    }
    let store = FaultyStore::sound();
    store.holds("visits/key", "the crown jewels").await;
    let (queue, dead) = with_dead_letter();
    points_to(&queue, ("others", "visits/key")).await;
    never_comes(&over(&queue, &store).with_folder("visits").with_any_key()).await;
    assert_eq!((total(&dead).await, store.calls(Op::Get)), (1, 0), "the same key in another bucket");
}

// Q11 from the other side
#[tokio::test(start_paused = true)]
async fn no_pointer_reaches_what_is_not_named_as_bodies_are_unless_told_so() {
    let others = ["secret", "0b5d6a4e7a404d2c9d7f8b5e2a1c6f10", "é0b5d6a4e-7a40-4d2c-9d7f-8b5e2a1c6f1"];
    for key in others.map(str::to_owned).into_iter().chain([format!("{KEY}.csv"), format!("{KEY}/secret")]) {
        let store = FaultyStore::sound();
        store.inner.put(&Path::parse(&key).unwrap(), "the crown jewels".into()).await.unwrap();
        let (queue, dead) = with_dead_letter();
        points_to(&queue, ("bodies", &key)).await;
        never_comes(&over(&queue, &store)).await;
        assert_eq!((total(&dead).await, store.calls(Op::Get)), (1, 0), "{key}");
        points_to(&queue, ("bodies", &key)).await;
        let delivery = receive_one(&over(&queue, &store).with_any_key()).await;
        assert_eq!(delivery.message().body(), "the crown jewels");
        delivery.ack().await.unwrap();
        assert_eq!(store.calls(Op::Delete), 0, "{key}");
    }
}

// Q13 from the other side: an ack removes a body, and nothing else that a pointer can reach
#[tokio::test(start_paused = true)]
async fn an_ack_removes_what_is_named_as_bodies_are_and_nothing_else() {
    let upper = KEY.to_uppercase();
    let not_random = "0b5d6a4e-7a40-1d2c-9d7f-8b5e2a1c6f10";
    let names = [(KEY, true), (&*upper, false), (not_random, false)];
    for folder in ["", "visits/"] {
        let deeper = [(format!("{folder}x/{KEY}"), false), (format!("{folder}x-{KEY}"), false)];
        let right_there = names.map(|(name, is_ours)| (format!("{folder}{name}"), is_ours));
        for (key, is_ours) in right_there.into_iter().chain(deeper) {
            let store = FaultyStore::sound();
            store.holds(&key, "hello").await;
            let queue = MemoryQueue::new();
            points_to(&queue, ("bodies", &key)).await;
            let checked = over(&queue, &store).with_folder(folder.trim_end_matches('/'));
            receive_one(&checked).await.ack().await.unwrap();
            assert_eq!(store.keys().await.is_empty(), is_ours, "{key}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn another_bucket_is_read_when_it_is_named_and_never_written() {
    let (store, other) = (FaultyStore::sound(), FaultyStore::sound());
    other.holds(&format!("x/{KEY}"), "hello").await;
    let queue = MemoryQueue::new();
    let checked = over(&queue, &store).with_folder("visits").with_other_bucket("others", shared(&other));
    points_to(&queue, ("others", &format!("x/{KEY}"))).await;
    let delivery = receive_one(&checked).await;
    assert_eq!(delivery.message().body(), "hello");
    delivery.ack().await.unwrap();
    assert_eq!((total(&queue).await, other.keys().await.len(), store.calls(Op::Get)), (0, 1, 0));
}

#[tokio::test(start_paused = true)]
async fn told_so_it_hands_out_the_pointer_and_removes_nothing() {
    let store = FaultyStore::sound();
    store.holds(KEY, vec![b'x'; SMALL + 1]).await;
    let queue = MemoryQueue::new();
    let checked = over(&queue, &store).with_largest(SMALL).with_broken_delivered();
    for key in ["0b5d6a4e-7a40-4d2c-9d7f-8b5e2a1c6f11", KEY] {
        points_to(&queue, ("bodies", key)).await;
        let delivery = receive_one(&checked).await;
        let message = delivery.message().to_outgoing();
        assert_eq!(message.body(), pointer("bodies", key));
        assert_eq!(message.attributes().text("ExtendedPayloadSize"), Some("5"));
        delivery.ack().await.unwrap();
    }
    assert_eq!((total(&queue).await, store.keys().await.len(), store.calls(Op::Delete)), (0, 1, 0));
}

// W14: what is no pointer is its handler's to judge
#[tokio::test(start_paused = true)]
async fn a_marked_message_without_a_pointer_and_a_pointer_without_the_mark_come_as_they_are() {
    let store = FaultyStore::sound();
    let queue = MemoryQueue::new();
    let mark =
        |body: &str| Outgoing::new(body).with_attribute("ExtendedPayloadSize", AttributeValue::number(1));
    let odd = [mark("no pointer"), mark("[\"java.lang.Runtime\",{}]"), Outgoing::new(pointer("bodies", KEY))];
    for message in odd {
        queue.publish_one(message.clone()).await.unwrap();
        let delivery = receive_one(&over(&queue, &store)).await;
        assert_eq!(delivery.message().to_outgoing(), message);
        delivery.ack().await.unwrap();
    }
    assert_eq!(store.calls(Op::Get), 0);
}

/// A first copy is acked, then the other one comes: a standard queue may deliver twice.
#[tokio::test(start_paused = true)]
async fn a_copy_that_comes_after_the_body_was_removed_is_not_handed_out() {
    let store = FaultyStore::sound();
    let (queue, dead) = with_dead_letter();
    let checked = over(&queue, &store).with_every_body_stored();
    checked.publish_one(large("a")).await.unwrap();
    let raw = receive_one(&queue).await;
    queue.publish_one(raw.message().to_outgoing()).await.unwrap();
    raw.ack().await.unwrap();
    checked.queue().publish_one(receive_one(&queue).await.message().to_outgoing()).await.unwrap();
    receive_one(&checked).await.ack().await.unwrap();
    sleep(SECOND * 31).await;
    never_comes(&checked).await;
    assert_eq!(total(&dead).await, 1);
}
