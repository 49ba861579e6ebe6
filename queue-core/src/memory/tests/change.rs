//! Setting a queue anew that is in use.

use std::time::Duration;

use super::*;
use crate::MemoryClock;

fn reads(queue: &MemoryQueue) -> impl Future<Output = usize> + '_ {
    let options = ReceiveOptions::new(10).with_wait(Duration::ZERO).with_visibility(Duration::ZERO);
    async { queue.receive(options).await.unwrap().into_iter().map(Delivery::forget).count() }
}

// Q7
#[tokio::test(start_paused = true)]
async fn a_dead_letter_queue_that_is_set_later_gets_what_was_delivered_before() {
    let clock = MemoryClock::new();
    let [dead, queue] = [(); 2].map(|()| MemoryQueue::builder().clock(clock.clone()).build().unwrap());
    queue.publish_one(Outgoing::new("x")).await.unwrap();
    assert_eq!(reads(&queue).await, 1);
    queue.reconfigure(MemoryQueue::builder().dead_letter(dead.clone(), 1)).unwrap();
    assert_eq!((reads(&queue).await, reads(&dead).await), (0, 1));
    queue.reconfigure(MemoryQueue::builder()).unwrap();
    queue.publish_one(Outgoing::new("y")).await.unwrap();
    assert_eq!([reads(&queue).await, reads(&queue).await, reads(&dead).await], [1, 1, 1]);
}

// Q10
#[tokio::test(start_paused = true)]
async fn a_shorter_retention_counts_for_what_is_there() {
    let queue = MemoryQueue::new();
    queue.publish_one(Outgoing::new("x")).await.unwrap();
    advance(Duration::from_secs(61)).await;
    queue.reconfigure(MemoryQueue::builder().retention(Duration::from_mins(1))).unwrap();
    assert_eq!((queue.depth().await.unwrap(), queue.counts().expired), (Depth::empty(), 1));
}

#[tokio::test(start_paused = true)]
async fn an_ordered_queue_takes_another_delay() {
    let queue = MemoryQueue::builder().ordered().build().unwrap();
    queue.reconfigure(MemoryQueue::builder().ordered().delay(Duration::from_secs(5))).unwrap();
    let message = Outgoing::new("x").with_group_key("g").with_deduplication_id("1");
    queue.publish_one(message).await.unwrap();
    assert_eq!(queue.depth().await.unwrap().delayed, 1);
}

#[tokio::test(start_paused = true)]
async fn what_can_not_be_changed_is_refused_and_changes_nothing() {
    let last = MemoryQueue::new();
    let middle = MemoryQueue::builder().dead_letter(last.clone(), 1).build().unwrap();
    let first = MemoryQueue::builder().dead_letter(middle.clone(), 1).build().unwrap();
    let circle = |queue: &MemoryQueue| MemoryQueue::builder().dead_letter(queue.clone(), 1);
    for (builder, says) in [
        (circle(&first), "leads back"),
        (circle(&middle), "leads back"),
        (circle(&last), "leads back"),
        (MemoryQueue::builder().ordered(), "of the kind"),
        (MemoryQueue::builder().clock(MemoryClock::new()), "clock"),
        (MemoryQueue::builder().retention(Duration::ZERO), "retention"),
    ] {
        let error = last.reconfigure(builder).unwrap_err();
        assert!(error.message().contains(says), "{error}");
    }
    assert_eq!(reads(&last).await, 0);
}
