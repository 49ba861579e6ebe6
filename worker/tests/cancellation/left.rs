//! What is left of the messages: in their queue, and in the account.

use std::collections::BTreeSet;
use std::time::Duration;

use queue_core::{Consumer, Inspect, MemoryQueue, Outgoing, PublisherExt, ReceiveOptions};
use tokio::time::sleep;
use worker::Account;

use crate::watch::Watch;

/// Longer than every visibility timeout that the scenarios set.
const LONG: Duration = Duration::from_mins(10);

/// A queue with so many messages, whose bodies are their numbers.
pub(crate) async fn queue_of(count: usize) -> MemoryQueue {
    let queue = MemoryQueue::new();
    for number in 0..count {
        queue.publish_one(Outgoing::new(number.to_string())).await.unwrap();
    }
    queue
}

/// The bodies of all that comes back once every timeout has ended.
pub(crate) async fn left_in(queue: &MemoryQueue) -> BTreeSet<String> {
    sleep(LONG).await;
    let mut left = BTreeSet::new();
    loop {
        let taken = queue.receive(ReceiveOptions::default().with_wait(Duration::ZERO)).await.unwrap();
        if taken.is_empty() {
            assert_eq!(queue.depth().await.unwrap().total(), 0, "nothing is hidden for longer");
            return left;
        }
        for delivery in taken {
            assert!(left.insert(delivery.message().body().to_owned()), "a message is there once");
            delivery.ack().await.unwrap();
        }
    }
}

/// Each of the messages was handled, or comes back: none is lost, and none was deleted unhandled.
pub(crate) async fn nothing_is_lost(queue: &MemoryQueue, watch: &Watch, count: usize) {
    watch.assert_no_clash();
    let (left, done) = (left_in(queue).await, watch.all_done());
    let known: BTreeSet<_> = left.union(&done).collect();
    assert_eq!(known.len(), count, "left: {left:?}, handled: {done:?}");
}

/// Every delivery has become something.
pub(crate) fn assert_adds_up(account: &Account) {
    let kept = account.retried + account.lost + account.released + account.orphaned;
    let gone = account.handled + account.moved + account.discarded;
    assert_eq!((account.received, account.in_flight, account.buffered), (kept + gone, 0, 0), "{account:?}");
}
