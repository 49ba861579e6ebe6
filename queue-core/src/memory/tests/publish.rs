//! Publishing: every entry on its own.

use super::*;
use crate::{Limits, Publisher, Rejected};

fn reasons(answers: Vec<Result<MessageId, Rejected>>) -> Vec<Option<String>> {
    let reason = |rejected: Rejected| {
        assert_eq!(rejected.kind(), QueueErrorKind::Permanent);
        rejected.error().message().to_owned()
    };
    answers.into_iter().map(|answer| answer.err().map(reason)).collect()
}

// Q6, Q11, P46, P52
#[tokio::test(start_paused = true)]
async fn an_entry_that_breaks_a_limit_is_handed_back_and_the_others_are_stored() {
    let queue = MemoryQueue::new();
    let many = (0..11).fold(Outgoing::new("many"), |m, n| m.with_attribute(format!("a{n}"), "v"));
    let illegal = Outgoing::new("x\u{0}");
    let batch = vec![Outgoing::new("a"), illegal.clone(), many, Outgoing::new(""), Outgoing::new("b")];
    let answers = queue.publish(batch).await;
    assert_eq!(answers[1].as_ref().unwrap_err().message(), &illegal);
    let reasons = reasons(answers);
    assert_eq!([0, 4].map(|n: usize| reasons[n].clone()), [None, None]);
    let [character, attributes, empty] = [1, 2, 3].map(|n: usize| reasons[n].clone().unwrap());
    assert!(character.contains("U+0000 at byte 1"), "{character}");
    assert!(attributes.contains("11 attributes, 10 are allowed"), "{attributes}");
    assert!(empty.contains("empty"), "{empty}");
    assert_eq!(bodies(&take(&queue).await), ["a", "b"]);
}

// Q11, P48, P49
#[tokio::test(start_paused = true)]
async fn a_message_of_one_mebibyte_is_stored_and_one_byte_more_refused() {
    let queue = MemoryQueue::new();
    for (size, stored) in [(262_145, true), (1_048_576, true), (1_048_577, false)] {
        assert_eq!(queue.publish_one(Outgoing::new("x".repeat(size))).await.is_ok(), stored, "{size}");
    }
    // name 1, type 6, value 1
    let with_attribute = |size| Outgoing::new("x".repeat(size)).with_attribute("n", "v");
    assert!(queue.publish_one(with_attribute(1_048_568)).await.is_ok());
    let rejected = queue.publish_one(with_attribute(1_048_569)).await.unwrap_err();
    assert!(rejected.error().message().contains("1 more than the 1048576 allowed"));
}

// Q6
#[tokio::test(start_paused = true)]
async fn a_batch_of_too_many_entries_stores_nothing() {
    let queue = MemoryQueue::new();
    let answers = queue.publish(vec![Outgoing::new("a"); 11]).await;
    assert_eq!(reasons(answers), vec![Some("the batch has 11 entries, 10 are allowed".to_owned()); 11]);
    assert_eq!(depth(&queue).await, Depth::empty());
    assert!(queue.publish(Vec::new()).await.is_empty());
    assert!(reasons(queue.publish(vec![Outgoing::new("a"); 10]).await).iter().all(Option::is_none));
}

// Q6, Q11
#[tokio::test(start_paused = true)]
async fn a_batch_of_too_many_bytes_stores_nothing() {
    let queue = MemoryQueue::new();
    let halves = [524_288, 524_289].map(|size| Outgoing::new("x".repeat(size)));
    let answers = queue.publish(halves.to_vec()).await;
    assert_eq!(
        reasons(answers),
        vec![Some("the batch has 1048577 bytes, 1048576 are allowed".to_owned()); 2]
    );
    assert_eq!(depth(&queue).await, Depth::empty());
}

// Q11: what is refused is not sent, so that its bytes count for nothing
#[tokio::test(start_paused = true)]
async fn an_entry_too_large_for_any_batch_does_not_take_the_others_with_it() {
    let queue = MemoryQueue::new();
    let answers = queue.publish(vec![Outgoing::new("x".repeat(1_048_577)), Outgoing::new("a")]).await;
    assert_eq!(answers.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true]);
    assert_eq!(bodies(&take(&queue).await), ["a"]);
}

// Q11
#[tokio::test(start_paused = true)]
async fn a_queue_may_take_less_than_the_service() {
    let limits = Limits::default().with_message_bytes(4).with_batch(2);
    let queue = MemoryQueue::builder().limits(limits.clone()).build().unwrap();
    assert_eq!(queue.limits(), limits);
    assert!(queue.publish_one(Outgoing::new("12345")).await.is_err());
    assert!(queue.publish(vec![Outgoing::new("1"); 3]).await.iter().all(Result::is_err));
}

// Q6: one id each, and the consumer sees the same
#[tokio::test(start_paused = true)]
async fn ids_are_unique_and_answered_in_the_order_of_the_batch() {
    let queue = MemoryQueue::new();
    let answers = queue.publish(["a", "b", "c"].map(Outgoing::new).to_vec()).await;
    let ids: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    let deliveries = take(&queue).await;
    let received: Vec<_> = deliveries.iter().map(|delivery| delivery.message().id().clone()).collect();
    assert_eq!(ids, received);
    assert!(ids[0] != ids[1] && ids[1] != ids[2]);
    assert_ne!(publish(&MemoryQueue::new(), "a").await, ids[0]);
}
