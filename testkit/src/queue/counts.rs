//! Receive counts: how often a message has been delivered.

use std::time::Duration;

use queue_core::Outgoing;

use super::QueueClause;
use super::QueuePromise::ReceiveCounts;
use super::case::Case;
use crate::clause::Clause;
use crate::pace::Window;

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(the_receive_count_rises_by_one_with_each_delivery).when(ReceiveCounts),
        Clause::of(the_receive_count_rises_after_an_expiry_too).when(ReceiveCounts),
        Clause::of(an_extension_raises_no_receive_count).when(ReceiveCounts),
    ]
}

/// Q7: one, two, three, however often it is released.
async fn the_receive_count_rises_by_one_with_each_delivery(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    for count in 1..=3 {
        let held = queue.take_one().await;
        assert_eq!(held.message().receive_count(), count);
        held.release(Duration::ZERO).await.expect("what is held can be released");
    }
}

/// Q7: a consumer that died with the message has received it.
async fn the_receive_count_rises_after_an_expiry_too(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let held = queue.lease_one().await;
    let again = queue.comes_in(held.back).await;
    assert_eq!((held.delivery.message().receive_count(), again.message().receive_count()), (1, 2));
}

/// Q7: only deliveries count.
async fn an_extension_raises_no_receive_count(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let mut held = queue.take_one().await;
    held.extend(case.pace.lease() * 2).await.expect("what is held can be extended");
    held.release(Duration::ZERO).await.expect("what is held can be released");
    assert_eq!(queue.comes_in(Window::now()).await.message().receive_count(), 2);
}
