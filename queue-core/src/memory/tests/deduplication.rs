//! What is sent twice is stored once.

use super::*;
use crate::Publisher;

const WINDOW: Duration = secs(300);

fn by_content() -> MemoryQueue {
    MemoryQueue::builder().ordered().content_deduplication().build().unwrap()
}

fn named(body: &str, id: &str) -> Outgoing {
    Outgoing::new(body).with_group_key("a").with_deduplication_id(id)
}

fn plain(body: &str) -> Outgoing {
    Outgoing::new(body).with_group_key("a")
}

// Q9
#[tokio::test(start_paused = true)]
async fn a_message_sent_twice_with_one_id_is_stored_once_and_answered_with_the_first_id() {
    let queue = fifo();
    let first = queue.publish_one(named("one", "1")).await.unwrap();
    advance(secs(299)).await;
    let other_group = Outgoing::new("two").with_group_key("b").with_deduplication_id("1");
    assert_eq!(queue.publish_one(other_group).await.unwrap(), first, "the scope is the queue");
    assert_eq!(bodies(&take(&queue).await), ["one"]);
    assert!(take(&queue).await.is_empty());
}

// Q9
#[tokio::test(start_paused = true)]
async fn the_window_counts_from_the_first_and_duplicates_do_not_make_it_longer() {
    let queue = fifo();
    let first = queue.publish_one(named("one", "1")).await.unwrap();
    advance(Duration::from_millis(299_999)).await;
    assert_eq!(queue.publish_one(named("one", "1")).await.unwrap(), first);
    advance(Duration::from_millis(1)).await;
    assert_ne!(queue.publish_one(named("one", "1")).await.unwrap(), first);
    assert_eq!(depth(&queue).await.total(), 2);
}

// Q9
#[tokio::test(start_paused = true)]
async fn after_a_delete_or_a_purge_the_window_still_counts() {
    let queue = fifo();
    let first = queue.publish_one(named("one", "1")).await.unwrap();
    take_one(&queue).await.ack().await.unwrap();
    assert_eq!(queue.publish_one(named("one", "1")).await.unwrap(), first);
    let second = queue.publish_one(named("two", "2")).await.unwrap();
    queue.purge().await.unwrap();
    assert_eq!(queue.publish_one(named("two", "2")).await.unwrap(), second);
    assert_eq!(depth(&queue).await, Depth::empty());
}

// Q6, Q9
#[tokio::test(start_paused = true)]
async fn duplicates_within_one_batch_are_answered_in_its_order() {
    let queue = fifo();
    let batch = vec![named("one", "1"), named("two", "2"), named("three", "1")];
    let ids: Vec<_> = queue.publish(batch).await.into_iter().map(Result::unwrap).collect();
    assert!(ids[0] == ids[2] && ids[0] != ids[1]);
    assert_eq!(bodies(&take(&queue).await), ["one", "two"]);
}

// Q9
#[tokio::test(start_paused = true)]
async fn by_content_the_same_body_is_the_same_message_whatever_its_attributes() {
    let queue = by_content();
    let first = queue.publish_one(plain("one")).await.unwrap();
    let again = plain("one").with_attribute("trace", "x").with_group_key("b");
    assert_eq!(queue.publish_one(again).await.unwrap(), first);
    assert_ne!(queue.publish_one(plain("two")).await.unwrap(), first);
    advance(WINDOW).await;
    assert_ne!(queue.publish_one(plain("one")).await.unwrap(), first);
}

// Q9
#[tokio::test(start_paused = true)]
async fn an_id_goes_before_the_content() {
    let queue = by_content();
    let first = queue.publish_one(named("one", "1")).await.unwrap();
    assert_ne!(queue.publish_one(named("one", "2")).await.unwrap(), first);
    assert_eq!(queue.publish_one(named("other", "1")).await.unwrap(), first);
    queue.publish_one(plain("one")).await.unwrap();
    queue.publish_one(plain("1")).await.unwrap();
    assert_eq!(depth(&queue).await.total(), 4, "a body that spells an id is not that id");
}

// Q9
#[tokio::test(start_paused = true)]
async fn with_nothing_to_go_by_it_is_refused_and_the_rest_of_the_batch_is_stored() {
    let queue = fifo();
    let answers = queue.publish(vec![plain("one"), named("two", "2")]).await;
    let rejected = answers[0].as_ref().unwrap_err();
    assert_eq!((rejected.kind(), rejected.message()), (QueueErrorKind::Permanent, &plain("one")));
    let right =
        "an ordered queue needs a deduplication id on each message, or to be set to deduplicate by content";
    assert_eq!(rejected.error().message(), right);
    assert_eq!(bodies(&take(&queue).await), ["two"]);
}

// Q9, Q11: a refused message is not a first one
#[tokio::test(start_paused = true)]
async fn what_was_refused_is_not_remembered() {
    let queue = fifo();
    queue.publish_one(named("", "1")).await.unwrap_err();
    queue.publish_one(named("one", "1")).await.unwrap();
    assert_eq!(bodies(&take(&queue).await), ["one"]);
}

// Q9
#[tokio::test(start_paused = true)]
async fn a_standard_queue_takes_no_ids_and_no_setting_for_it() {
    let error =
        MemoryQueue::new().publish_one(Outgoing::new("x").with_deduplication_id("1")).await.unwrap_err();
    assert!(error.error().message().contains("needs an ordered queue"));
    let error = MemoryQueue::builder().content_deduplication().build().unwrap_err();
    assert_eq!(error.message(), "deduplication by content needs an ordered queue; this one is standard");
}
