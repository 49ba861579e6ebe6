//! Receipts of ordered queues: good only as long as the delivery is.

use std::time::Duration;

use queue_core::Delivery;
use queue_core::QueueErrorKind::Lost;

use super::moves::done;
use crate::clause::Clause;
use crate::queue::QueueClause;
use crate::queue::QueuePromise::{ExpiredDeletes, ExpiredExtensions, StaleDeletes, StaleExtensions};
use crate::queue::case::Case;
use crate::queue::subject::{Leased, Subject};

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(a_delete_after_the_timeout_is_lost_and_the_message_comes_again).when(ExpiredDeletes),
        Clause::of(a_release_after_the_timeout_is_lost_and_the_message_comes_again).when(ExpiredExtensions),
        Clause::of(a_stale_receipt_of_a_group_deletes_nothing).when(StaleDeletes),
        Clause::of(a_stale_receipt_of_a_group_frees_nothing).when(StaleExtensions),
    ]
}

/// Q8, P1: *lost*, also though nobody took it: its group may be given to another consumer at any moment.
async fn a_delete_after_the_timeout_is_lost_and_the_message_comes_again(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1 a2").await;
    let late = queue.lease_one().await;
    queue.pass(late.back).await;
    let error = late.delivery.ack().await.expect_err("its time ran out");
    assert_eq!(error.kind(), Lost, "{error}");
    done(queue.next_is("a1").await).await;
    queue.next_is("a2").await.forget();
}

/// Q4, Q8: so is a release, and the group goes on with it.
async fn a_release_after_the_timeout_is_lost_and_the_message_comes_again(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1 a2").await;
    let late = queue.lease_one().await;
    queue.pass(late.back).await;
    let error = late.delivery.release(case.pace.lease()).await.expect_err("its time ran out");
    assert_eq!(error.kind(), Lost, "{error}");
    done(queue.next_is("a1").await).await;
    queue.next_is("a2").await.forget();
}

/// A delivery of "a1" that ran out, and the one that has the message now.
async fn given_to_another(queue: &Subject) -> (Delivery, Leased) {
    queue.send_words("a1 a2").await;
    let old = queue.lease_one().await;
    let new = queue.comes(old.back, queue.pace.lease()).await;
    assert_eq!(new.delivery.message().body(), "a1");
    (old.delivery, new)
}

/// Q4, Q8: *lost*; the other consumer's delivery stands, and so does what blocks the group.
async fn a_stale_receipt_of_a_group_deletes_nothing(case: Case) {
    let queue = case.ordered_queue().await;
    let (old, new) = given_to_another(&queue).await;
    let error = old.ack().await.expect_err("another consumer has it");
    assert_eq!(error.kind(), Lost, "{error}");
    let again = queue.comes_in(new.back).await;
    assert_eq!(again.message().body(), "a1");
}

/// Q4, Q8: nor is the group given to a third.
async fn a_stale_receipt_of_a_group_frees_nothing(case: Case) {
    let queue = case.ordered_queue().await;
    let (old, new) = given_to_another(&queue).await;
    let error = old.release(Duration::ZERO).await.expect_err("another consumer has it");
    assert_eq!(error.kind(), Lost, "{error}");
    let again = queue.comes_in(new.back).await;
    assert_eq!(again.message().body(), "a1");
}
