//! Ordered queues: nothing overtakes, and what is sent twice is stored once.

use std::time::Duration;

use queue_core::QueueErrorKind::{Permanent, Transient};
use queue_core::{
    Consumer, Delivery, Limits, MemoryQueue, MemoryQueueBuilder, Outgoing, Publisher, PublisherExt, Rejected,
};
use queue_sqs::object_store::ObjectStoreExt;
use queue_sqs::object_store::path::Path;
use tokio::time::sleep;

use crate::store::{Fate, FaultyStore, Op};
use crate::support::{SMALL, at_once, over, receive, total, try_receive};

const SECOND: Duration = Duration::from_secs(1);

fn ordered() -> MemoryQueueBuilder {
    MemoryQueue::builder().ordered().limits(Limits::default().with_message_bytes(SMALL))
}

/// A message of one word, the first letter of which is its group; a large one if the word is in upper case.
fn message(word: &str) -> Outgoing {
    let times = if word.starts_with(char::is_uppercase) { SMALL } else { 1 };
    let body = format!("{word} ").repeat(times);
    Outgoing::new(body).with_group_key(word[..1].to_lowercase()).with_deduplication_id(word)
}

fn messages(words: &str) -> Vec<Outgoing> {
    words.split(' ').map(message).collect()
}

fn words(deliveries: &[Delivery]) -> String {
    let words: Vec<_> =
        deliveries.iter().filter_map(|each| each.message().body().split(' ').next()).collect();
    words.join(" ")
}

/// The calls of `op` fail whose number is among `numbers`.
fn failing(op: Op, numbers: &'static [usize]) -> FaultyStore {
    let mut count = 0;
    FaultyStore::new(move |call| {
        count += usize::from(call == op);
        if call == op && numbers.contains(&count) { Fate::Fails } else { Fate::Well }
    })
}

// Q8
#[tokio::test(start_paused = true)]
async fn a_message_whose_body_does_not_come_is_not_overtaken_in_its_group() {
    let store = failing(Op::Get, &[1]);
    let queue = ordered().build().unwrap();
    let checked = over(&queue, &store);
    checked.publish_all(messages("a1 A2 a3 B1 b2 A4")).await;
    let came = receive(&checked).await;
    assert_eq!(words(&came), "a1 B1 b2");
    for delivery in came {
        delivery.ack().await.unwrap();
    }
    assert_eq!(words(&receive(&checked).await), "");
    sleep(SECOND * 31).await;
    assert_eq!(words(&receive(&checked).await), "A2 a3 A4");
}

// Q8: until it has moved to the dead-letter queue
#[tokio::test(start_paused = true)]
async fn a_broken_message_is_not_overtaken_either() {
    let store = FaultyStore::sound();
    let dead = ordered().build().unwrap();
    let queue = ordered().dead_letter(dead.clone(), 2).build().unwrap();
    let checked = over(&queue, &store);
    checked.publish_all(messages("A1 a2")).await;
    let key = store.keys().await.remove(0);
    store.inner.delete(&Path::from(key)).await.unwrap();
    for _receive in 0..2 {
        assert_eq!(words(&receive(&checked).await), "");
        sleep(SECOND * 31).await;
    }
    assert_eq!(total(&queue).await + total(&dead).await, 2);
    // a2 was received as often as the message before it, so that one more receive moves both.
    assert_eq!(words(&receive(&checked).await), "");
    assert_eq!((total(&queue).await, total(&dead).await), (0, 2));
}

// Q8
#[tokio::test(start_paused = true)]
async fn a_message_whose_body_is_not_written_is_not_overtaken_in_its_group() {
    let store = failing(Op::Put, &[2]);
    let queue = ordered().build().unwrap();
    let checked = over(&queue, &store);
    let batch = messages("A1 A2 a3 B1 A4");
    let answers = checked.publish(batch.clone()).await;
    let kinds: Vec<_> = answers.iter().map(|answer| answer.as_ref().err().map(Rejected::kind)).collect();
    assert_eq!(kinds, [None, Some(Transient), Some(Transient), None, Some(Transient)]);
    let back: Vec<_> = answers.into_iter().filter_map(Result::err).map(Rejected::into_message).collect();
    assert_eq!(back, [batch[1].clone(), batch[2].clone(), batch[4].clone()]);
    assert_eq!(store.keys().await.len(), 2, "the body of A4 was removed");
    checked.publish_all(back).await;
    assert_eq!(words(&receive(&checked).await), "A1 A2 a3 A4 B1");
}

// Q9
#[tokio::test(start_paused = true)]
async fn a_large_message_that_is_sent_twice_is_stored_once() {
    let store = FaultyStore::sound();
    let queue = ordered().build().unwrap();
    let checked = over(&queue, &store);
    let first = checked.publish_one(message("A1")).await.unwrap();
    assert_eq!(checked.publish_one(message("A1")).await.unwrap(), first);
    assert_eq!(words(&receive(&checked).await), "A1");
}

fn nameless(body: &str) -> Outgoing {
    Outgoing::new(body.repeat(SMALL)).with_group_key("a")
}

// Q9, Q11: refused rather than stored twice
#[tokio::test(start_paused = true)]
async fn a_large_message_with_nothing_to_tell_it_by_is_refused() {
    let store = FaultyStore::sound();
    let checked = over(&ordered().content_deduplication().build().unwrap(), &store);
    let rejected = checked.publish_one(nameless("ab")).await.unwrap_err();
    assert_eq!((rejected.kind(), store.calls(Op::Put)), (Permanent, 0));
    assert!(rejected.error().message().contains("with_content_deduplication"), "{rejected}");
    checked.publish_one(Outgoing::new("small").with_group_key("a")).await.unwrap();
}

// Q9
#[tokio::test(start_paused = true)]
async fn told_so_it_names_messages_by_their_bodies() {
    let store = FaultyStore::sound();
    let queue = ordered().content_deduplication().build().unwrap();
    let checked = over(&queue, &store).with_content_deduplication();
    let first = checked.publish_one(nameless("ab")).await.unwrap();
    assert_eq!(checked.publish_one(nameless("ab")).await.unwrap(), first);
    assert_ne!(checked.publish_one(nameless("cd")).await.unwrap(), first);
    assert_ne!(checked.publish_one(nameless("ab").with_deduplication_id("other")).await.unwrap(), first);
    // Sent whole, it is the same message still.
    let small = Outgoing::new("small").with_group_key("a");
    let first = checked.publish_one(small.clone()).await.unwrap();
    assert_eq!(checked.with_every_body_stored().publish_one(small).await.unwrap(), first);
    assert_eq!(total(&queue).await, 4);
}

// Q9: the digest that Amazon SQS uses
#[tokio::test(start_paused = true)]
async fn the_name_is_the_sha_256_of_the_body() {
    let queue = ordered().content_deduplication().build().unwrap();
    let checked = over(&queue, &FaultyStore::sound()).with_content_deduplication();
    let first = checked.publish_one(Outgoing::new("one").with_group_key("a")).await.unwrap();
    let digest = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";
    let named = Outgoing::new("two").with_group_key("a").with_deduplication_id(digest);
    assert_eq!(queue.publish_one(named).await.unwrap(), first);
}

/// What is refused while nothing was written blocks no group, and a failed store call in no group's way does not either.
#[tokio::test(start_paused = true)]
async fn a_standard_queue_knows_no_such_order() {
    let store = failing(Op::Put, &[1]);
    let queue = MemoryQueue::new();
    let checked = over(&queue, &store).with_every_body_stored();
    let tenant = |body: &str| Outgoing::new(body).with_group_key("a");
    let answers = checked.publish(vec![tenant("a1"), tenant("a2")]).await;
    assert_eq!(answers.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true]);
    store.becomes(|op| if op == Op::Get { Fate::Fails } else { Fate::Well });
    queue.publish_one(tenant("a3")).await.unwrap();
    let came = checked.receive(at_once()).await.unwrap();
    assert_eq!(words(&came), "a3");
    assert!(try_receive(&checked).await.unwrap().is_empty());
}

// Q8: the receipts come again, and so do the bodies
#[tokio::test(start_paused = true)]
async fn a_repeated_attempt_brings_bodies_that_an_ack_removes() {
    let store = FaultyStore::sound();
    let queue = ordered().build().unwrap();
    let checked = over(&queue, &store);
    checked.publish_one(message("A1")).await.unwrap();
    let lost = checked.receive(at_once().with_attempt_id("x")).await.unwrap();
    let again = checked.receive(at_once().with_attempt_id("x")).await.unwrap();
    assert_eq!((words(&lost), words(&again)), ("A1".to_owned(), "A1".to_owned()));
    lost.into_iter().for_each(Delivery::forget);
    for delivery in again {
        delivery.ack().await.unwrap();
    }
    assert_eq!(store.keys().await.len(), 0);
}
