//! Publishing: what goes into the store, what stays with the message, and what a failure leaves behind.

use std::time::Duration;

use queue_core::QueueErrorKind::{Indeterminate, Permanent, Transient};
use queue_core::{Limits, MemoryQueue, Outgoing, Publisher, PublisherExt, QueueError, Rejected};
use queue_sqs::ClaimCheck;
use testkit::{CallKind, Fault, Faulty};

use crate::store::{Fate, FaultyStore, Op};
use crate::support::{SMALL, checked, large, letters, pointer, queue, receive, receive_one, shared, total};

fn kinds<T>(answers: &[Result<T, Rejected>]) -> Vec<Option<queue_core::QueueErrorKind>> {
    answers.iter().map(|answer| answer.as_ref().err().map(Rejected::kind)).collect()
}

#[tokio::test(start_paused = true)]
async fn a_large_message_leaves_its_body_in_the_store_and_a_small_one_does_not() {
    let store = FaultyStore::sound();
    let (queue, checked) = checked(&store);
    let checked = checked.with_folder("a/b");
    let small = Outgoing::new("s".repeat(SMALL / 2));
    checked.publish_all(vec![large("l").with_attribute("type", "book"), small.clone()]).await;
    let keys = store.keys().await;
    assert!(keys.len() == 1 && keys[0].starts_with("a/b/"), "{keys:?}");
    let raw = receive(&queue).await;
    let wire = raw[0].message();
    assert_eq!(wire.body(), pointer("bodies", &keys[0]));
    assert_eq!(wire.attributes().text("type"), Some("book"));
    let mark = wire.attributes().get("ExtendedPayloadSize").unwrap();
    assert_eq!((mark.as_str(), mark.is_number(), mark.data_type().as_str()), (Some("1001"), true, "Number"));
    assert_eq!(raw[1].message().to_outgoing(), small);
}

// Q11
#[tokio::test(start_paused = true)]
async fn attributes_count_for_the_threshold_and_it_is_exclusive() {
    let store = FaultyStore::sound();
    let (_queue, checked) = checked(&store);
    let checked = checked.with_threshold(100);
    let around = "name".len() + "String".len() + "value".len();
    let message = |bytes: usize| Outgoing::new("x".repeat(bytes)).with_attribute("name", "value");
    checked.publish_one(message(100 - around)).await.unwrap();
    assert_eq!(store.keys().await.len(), 0);
    checked.publish_one(message(101 - around)).await.unwrap();
    assert_eq!(store.keys().await.len(), 1);
}

// Q11, P48, P49
#[tokio::test(start_paused = true)]
async fn what_the_queue_takes_is_sent_whole_and_one_byte_more_is_not() {
    let around = "name".len() + "String".len() + "value".len();
    for (bytes, stored) in [(1_048_576, 0), (1_048_577, 1)] {
        let store = FaultyStore::sound();
        let checked = ClaimCheck::new(MemoryQueue::new(), shared(&store), "bodies");
        let message = Outgoing::new("x".repeat(bytes - around)).with_attribute("name", "value");
        checked.publish_one(message).await.unwrap();
        assert_eq!(store.keys().await.len(), stored, "{bytes}");
    }
}

// Q6: one trait call is one service call
#[tokio::test(start_paused = true)]
async fn a_batch_is_one_call_of_the_queue_and_fits_into_it() {
    let store = FaultyStore::sound();
    let limits = Limits::default().with_message_bytes(4_000);
    let queue = MemoryQueue::builder().limits(limits).build().unwrap();
    let faulty = Faulty::new(queue, |_, _| Fault::None);
    let checked = ClaimCheck::new(faulty.clone(), shared(&store), "bodies");
    let sizes = [900, 1_500, 4_001, 800, 700, 1_000];
    let batch: Vec<_> =
        sizes.iter().zip('a'..).map(|(&n, letter)| Outgoing::new(letter.to_string().repeat(n))).collect();
    assert_eq!(checked.limits().batches(batch.clone()).len(), 1);
    let answers = checked.publish_all(batch).await;
    assert_eq!((kinds(&answers), faulty.calls().len()), (vec![None; 6], 1));
    assert_eq!(store.keys().await.len(), 2, "the one that is too large, and the largest of the others");
    assert_eq!(letters(&receive(&checked).await), "abcdef");
}

// Q6: attributes stay with their messages
#[tokio::test(start_paused = true)]
async fn attributes_that_are_too_large_for_one_call_go_out_in_two() {
    let store = FaultyStore::sound();
    let limits = Limits::default().with_message_bytes(2_000);
    let queue = Faulty::new(MemoryQueue::builder().limits(limits).build().unwrap(), |_, _| Fault::None);
    let checked = ClaimCheck::new(queue.clone(), shared(&store), "bodies").with_every_body_stored();
    let heavy = Outgoing::new("x").with_attribute("heavy", "x".repeat(1_500));
    let answers = checked.publish(vec![heavy; 2]).await;
    assert_eq!((kinds(&answers), queue.calls_of(CallKind::Publish).len()), (vec![None; 2], 2));
}

// Q11
#[tokio::test(start_paused = true)]
async fn what_breaks_a_limit_is_refused_before_anything_is_written() {
    let store = FaultyStore::sound();
    let (queue, checked) = checked(&store);
    let checked = checked.with_largest(5_000);
    let ten = (0..10).map(|number| (format!("name-{number}"), "value")).collect();
    let bad = [
        large("").with_attributes(ten),
        Outgoing::new("x".repeat(5_001)),
        large("l").with_attribute("ExtendedPayloadSize", "1"),
        large("l").with_attribute("SQSLargePayloadSize", "1"),
        Outgoing::new("x").with_attribute("ExtendedPayloadSize", "1"),
        Outgoing::new(format!("{}\u{1}", "x".repeat(2_000))),
        large("l").with_attribute("heavy", "x".repeat(SMALL)),
    ];
    for message in bad {
        let rejected = checked.publish_one(message.clone()).await.unwrap_err();
        assert_eq!((rejected.kind(), rejected.message()), (Permanent, &message));
    }
    assert_eq!((total(&queue).await, store.calls(Op::Put)), (0, 0));
    assert_eq!((checked.limits().attributes, checked.limits().message_bytes), (9, 5_000));
}

// Q6, Q13
#[tokio::test(start_paused = true)]
async fn a_body_that_is_not_written_fails_its_own_message_alone() {
    for (fate, kind) in [
        (Fate::Fails, Transient),
        (Fate::Lost, Transient),
        (Fate::Hangs, Transient),
        (Fate::Unanswered, Transient),
        (Fate::Slow(Duration::from_secs(4)), Transient),
        (Fate::Unable, Permanent),
    ] {
        let mut puts = 0;
        let store = FaultyStore::new(move |op| {
            puts += usize::from(op == Op::Put);
            if op == Op::Put && puts == 2 { fate } else { Fate::Well }
        });
        let (_queue, checked) = checked(&store);
        let batch = vec![large("a"), large("b"), Outgoing::new("c"), large("d")];
        let answers = checked.publish(batch.clone()).await;
        assert_eq!(kinds(&answers), [None, Some(kind), None, None], "{fate:?}");
        assert_eq!(answers[1].as_ref().unwrap_err().message(), &batch[1], "it is handed back as it was");
        assert_eq!(letters(&receive(&checked).await), "acd");
    }
}

// Q13
#[tokio::test(start_paused = true)]
async fn the_body_of_a_refused_message_is_removed_and_that_of_an_uncertain_one_is_kept() {
    let full = || QueueError::permanent("full");
    let busy = || QueueError::transient("busy");
    for (fault, kind, left) in [
        (Fault::Error(full()), Permanent, 0),
        (Fault::Error(busy()), Transient, 0),
        (Fault::Lost, Indeterminate, 1),
        (Fault::Short(1), Indeterminate, 1),
    ] {
        let store = FaultyStore::sound();
        let faulty = Faulty::new(queue(), move |_, _| fault.clone());
        let checked = ClaimCheck::new(faulty, shared(&store), "bodies");
        let answers = checked.publish(vec![large("a")]).await;
        assert_eq!((kinds(&answers), store.keys().await.len()), (vec![Some(kind)], left));
        assert_eq!(answers[0].as_ref().unwrap_err().message(), &large("a"));
    }
}

// Q6, Q13
#[tokio::test(start_paused = true)]
async fn of_a_partial_failure_only_the_failed_messages_bodies_are_removed() {
    let store = FaultyStore::sound();
    let fault = Fault::Entries(vec![1], QueueError::permanent("denied"));
    let faulty = Faulty::new(
        queue(),
        move |call, _| if call == CallKind::Publish { fault.clone() } else { Fault::None },
    );
    let checked = ClaimCheck::new(faulty, shared(&store), "bodies");
    let answers = checked.publish(vec![large("a"), large("b"), large("c")]).await;
    assert_eq!((kinds(&answers), store.keys().await.len()), (vec![None, Some(Permanent), None], 2));
    assert_eq!(letters(&receive(&checked).await), "ac");
}

#[tokio::test(start_paused = true)]
async fn a_removal_that_fails_changes_no_answer() {
    for fate in [Fate::Fails, Fate::Hangs, Fate::Unanswered, Fate::Late(Duration::from_mins(1))] {
        let store = FaultyStore::when(Op::Delete, fate);
        let faulty = Faulty::new(queue(), |_, _| Fault::Error(QueueError::transient("busy")));
        let checked = ClaimCheck::new(faulty, shared(&store), "bodies");
        assert_eq!(kinds(&checked.publish(vec![large("a")]).await), [Some(Transient)]);
    }
}

#[tokio::test(start_paused = true)]
async fn bodies_are_written_at_a_time() {
    let store = FaultyStore::when(Op::Put, Fate::Slow(Duration::from_secs(1)));
    let (_queue, checked) = checked(&store);
    let start = tokio::time::Instant::now();
    let answers = checked.publish(vec![large("a"); 10]).await;
    assert_eq!((kinds(&answers), start.elapsed()), (vec![None; 10], Duration::from_secs(1)));
}

#[tokio::test(start_paused = true)]
async fn a_pointer_is_passed_on_as_it_is_with_as_many_attributes_as_the_queue_takes() {
    let store = FaultyStore::sound();
    let (queue, checked) = checked(&store);
    let names = (0..9).map(|number| (format!("name-{number}"), "value"));
    checked.publish_one(large("a").with_attributes(names.collect())).await.unwrap();
    let raw = receive_one(&queue).await;
    let copy = raw.message().to_outgoing();
    assert_eq!(copy.attributes().len(), 10);
    checked.clone().with_every_body_stored().publish_one(copy.clone()).await.unwrap();
    assert_eq!(receive_one(&queue).await.message().to_outgoing(), copy);
    assert_eq!(store.keys().await.len(), 1);
}

#[test]
fn what_is_printed_names_the_store_and_none_of_its_settings() {
    let printed = format!("{:?}", checked(&FaultyStore::sound()).1);
    assert!(printed.contains("FaultyStore") && printed.contains("bodies"), "{printed}");
    assert!(!printed.contains("hunter2"), "{printed}");
}
