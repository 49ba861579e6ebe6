//! Receiving: bodies that come, late or not at all.

use std::time::Duration;

use queue_core::QueueErrorKind::Transient;
use queue_core::{Consumer, Delivery, Inspect, MemoryQueue, Outgoing, PublisherExt};
use queue_sqs::ClaimCheck;
use tokio::time::{Instant, sleep, timeout};

use crate::store::{Fate, FaultyStore, Op};
use crate::support::{
    at_once, checked, large, letters, over, queue, receive, receive_one, shared, total, try_receive,
};

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test(start_paused = true)]
async fn a_message_comes_as_it_was_published() {
    let store = FaultyStore::sound();
    let (_queue, checked) = checked(&store);
    let message = large("é").with_attribute("type", "book").with_group_key("tenant");
    let id = checked.publish_one(message.clone()).await.unwrap();
    let first = receive_one(&checked).await;
    assert_eq!((first.message().to_outgoing(), first.message().id()), (message, &id));
    let sent_at = first.message().sent_at();
    first.release(Duration::ZERO).await.unwrap();
    let again = receive_one(&checked).await;
    assert_eq!((again.message().receive_count(), again.message().sent_at()), (2, sent_at));
    assert!(sent_at.is_some());
}

// Q3: the queue counts from its answer, not from ours
#[tokio::test(start_paused = true)]
async fn the_time_that_bodies_take_is_part_of_the_visibility_timeout() {
    let store = FaultyStore::when(Op::Get, Fate::Slow(SECOND * 2));
    let (_queue, checked) = checked(&store);
    checked.publish_one(large("a")).await.unwrap();
    let start = Instant::now();
    let delivery = receive_one(&checked).await;
    assert_eq!(start.elapsed(), SECOND * 2);
    assert_eq!((delivery.hidden_until() - start, delivery.visibility()), (SECOND * 30, SECOND * 30));
}

// Q3
#[tokio::test(start_paused = true)]
async fn no_more_than_half_of_a_short_timeout_is_spent_on_bodies() {
    let store = FaultyStore::when(Op::Get, Fate::Hangs);
    let (queue, checked) = checked(&store);
    checked.publish_one(large("a")).await.unwrap();
    queue.publish_one(Outgoing::new("b")).await.unwrap();
    let start = Instant::now();
    let delivery = checked.receive(at_once().with_visibility(SECOND * 2)).await.unwrap().remove(0);
    assert_eq!((delivery.message().body(), start.elapsed()), ("b", SECOND));
    delivery.ack().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_timeout_of_zero_still_brings_bodies() {
    let store = FaultyStore::when(Op::Get, Fate::Slow(SECOND));
    let (_queue, checked) = checked(&store);
    checked.publish_one(large("a")).await.unwrap();
    let came = checked.receive(at_once().with_visibility(Duration::ZERO)).await.unwrap();
    assert_eq!(letters(&came), "a");
}

#[tokio::test(start_paused = true)]
async fn the_bodies_of_a_receive_are_fetched_at_a_time() {
    let store = FaultyStore::when(Op::Get, Fate::Slow(SECOND));
    let (_queue, checked) = checked(&store);
    for letter in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"] {
        checked.publish_one(large(letter)).await.unwrap();
    }
    let start = Instant::now();
    assert_eq!(letters(&receive(&checked).await), "abcdefghij");
    assert_eq!(start.elapsed(), SECOND);
}

// Q3, W8
#[tokio::test(start_paused = true)]
async fn a_message_whose_body_does_not_come_rests_and_the_others_are_handed_out() {
    for fate in [
        Fate::Fails,
        Fate::Lost,
        Fate::Hangs,
        Fate::Unanswered,
        Fate::Slow(SECOND * 4),
        Fate::Late(SECOND * 4),
    ] {
        let mut gets = 0;
        let store = FaultyStore::new(move |op| {
            gets += usize::from(op == Op::Get);
            if op == Op::Get && gets == 1 { fate } else { Fate::Well }
        });
        let (queue, checked) = checked(&store);
        checked.publish_all(vec![large("a"), Outgoing::new("b"), large("c")]).await;
        let start = Instant::now();
        let options = at_once().with_visibility(SECOND * 3_600);
        let came = checked.receive(options).await.unwrap();
        assert_eq!(letters(&came), "bc", "{fate:?}");
        assert!(start.elapsed() <= SECOND * 3, "{fate:?}");
        sleep(SECOND * 29).await;
        assert_eq!(receive(&checked).await.len(), 0, "it rests: {fate:?}");
        sleep(SECOND * 5).await;
        assert_eq!(letters(&receive(&checked).await), "a", "not for its whole timeout: {fate:?}");
        assert_eq!(queue.counts().unsettled_drops, 1, "the one that was looked at just now");
        came.into_iter().for_each(Delivery::forget);
    }
}

// W7: so that whoever polls backs off
#[tokio::test(start_paused = true)]
async fn a_receive_that_brings_nothing_because_the_store_fails_is_a_passing_error() {
    let store = FaultyStore::when(Op::Get, Fate::Fails);
    let (queue, checked) = checked(&store);
    checked.publish_all(vec![large("a"), large("b")]).await;
    let error = try_receive(&checked).await.unwrap_err();
    assert_eq!(error.kind(), Transient);
    assert!(std::error::Error::source(&error).unwrap().to_string().contains("503 Slow Down"));
    assert_eq!(receive(&checked).await.len(), 0, "an empty queue is no error");
    store.heal();
    sleep(SECOND * 31).await;
    assert_eq!(queue.counts().unsettled_drops, 0);
    assert_eq!(letters(&receive(&checked).await), "ab");
}

#[tokio::test(start_paused = true)]
async fn the_pause_can_be_set() {
    let store = FaultyStore::when(Op::Get, Fate::Fails);
    let (_queue, checked) = checked(&store);
    let checked = checked.with_pause(SECOND * 300);
    checked.publish_one(large("a")).await.unwrap();
    try_receive(&checked).await.unwrap_err();
    store.heal();
    sleep(SECOND * 299).await;
    assert_eq!(receive(&checked).await.len(), 0);
    sleep(SECOND * 2).await;
    assert_eq!(receive(&checked).await.len(), 1);
}

// Q7: an outage of the store loses nothing
#[tokio::test(start_paused = true)]
async fn what_a_long_outage_sends_to_the_dead_letter_queue_still_has_its_body() {
    let store = FaultyStore::when(Op::Get, Fate::Fails);
    let dead = MemoryQueue::new();
    let queue = MemoryQueue::builder().dead_letter(dead.clone(), 3).build().unwrap();
    let checked = over(&queue, &store).with_every_body_stored();
    checked.publish_one(Outgoing::new("a")).await.unwrap();
    for _receive in 0..4 {
        try_receive(&checked).await.ok();
        sleep(SECOND * 31).await;
    }
    store.heal();
    assert_eq!((total(&queue).await, letters(&receive(&over(&dead, &store)).await)), (0, "a".to_owned()));
}

// Q12: dropped while bodies are fetched
#[tokio::test(start_paused = true)]
async fn a_receive_that_is_dropped_hides_its_messages_until_their_timeout_and_counts_them() {
    let store = FaultyStore::when(Op::Get, Fate::Hangs);
    let (queue, checked) = checked(&store);
    checked.publish_all(vec![large("a"), large("b")]).await;
    timeout(SECOND, try_receive(&checked)).await.unwrap_err();
    assert_eq!(queue.counts().unsettled_drops, 2);
    store.heal();
    sleep(SECOND * 28).await;
    assert_eq!(receive(&checked).await.len(), 0);
    sleep(SECOND * 2).await;
    assert_eq!(letters(&receive(&checked).await), "ab");
}

#[tokio::test(start_paused = true)]
async fn looking_and_purging_pass_through() {
    let store = FaultyStore::sound();
    let (_queue, checked) = checked(&store);
    checked.publish_one(large("a")).await.unwrap();
    assert_eq!(checked.depth().await.unwrap().visible, 1);
    checked.purge().await.unwrap();
    assert_eq!((checked.depth().await.unwrap().total(), store.keys().await.len()), (0, 1));
}

// Q3: settling at a queue that fails while messages are put to rest
#[tokio::test(start_paused = true)]
async fn a_message_that_could_not_be_put_to_rest_comes_back_at_its_timeout() {
    use testkit::{CallKind, Fault, Faulty};
    for fault in [Fault::Hang, Fault::Error(queue_core::QueueError::transient("busy")), Fault::Short(1)] {
        let store = FaultyStore::when(Op::Get, Fate::Fails);
        let script =
            move |call, _| if call == CallKind::ChangeVisibility { fault.clone() } else { Fault::None };
        let faulty = Faulty::new(queue(), script);
        let checked = ClaimCheck::new(faulty.clone(), shared(&store), "bodies");
        checked.publish_one(large("a")).await.unwrap();
        let start = Instant::now();
        try_receive(&checked).await.unwrap_err();
        assert!(start.elapsed() <= SECOND);
        assert_eq!(faulty.queue().counts().unsettled_drops, 1);
        store.heal();
        sleep(SECOND * 31).await;
        assert_eq!(letters(&receive(&checked).await), "a");
    }
}
