//! Deduplication: what is sent twice under one id is stored once.

use std::sync::Arc;

use queue_core::{MessageId, Outgoing, PublisherExt, Rejected};
use tokio::task::JoinSet;

use super::moves::{done, grouped};
use crate::clause::Clause;
use crate::queue::QueueClause;
use crate::queue::QueuePromise::{Deduplication, MessageRules};
use crate::queue::case::Case;

pub(super) fn clauses() -> Vec<QueueClause> {
    let clauses = [
        Clause::of(what_is_sent_twice_is_stored_once_and_has_the_first_ones_id),
        Clause::of(what_is_twice_in_a_batch_is_stored_once),
        Clause::of(what_was_deleted_is_not_stored_again),
        Clause::of(an_id_is_the_same_in_every_group),
        Clause::of(what_is_sent_by_many_at_once_is_stored_once),
        Clause::of(what_was_refused_can_be_sent_again).when(MessageRules),
    ];
    clauses.into_iter().map(|clause| clause.when(Deduplication)).collect()
}

fn named(body: &str, id: &str) -> Outgoing {
    Outgoing::new(body).with_group_key("a").with_deduplication_id(id)
}

/// Q9: whatever the second one's body is.
async fn what_is_sent_twice_is_stored_once_and_has_the_first_ones_id(case: Case) {
    let queue = case.ordered_queue().await;
    let first = queue.send(named("one", "x")).await;
    assert_eq!(queue.send(named("another", "x")).await, first);
    assert_ne!(queue.send(named("two", "y")).await, first);
    done(queue.next_is("one").await).await;
    done(queue.next_is("two").await).await;
    queue.is_quiet().await;
}

/// Q6, Q9: the answers are in the order of the batch.
async fn what_is_twice_in_a_batch_is_stored_once(case: Case) {
    let queue = case.ordered_queue().await;
    let batch = vec![named("one", "x"), named("two", "y"), named("another", "x")];
    let answers = queue.queue().publish(batch).await.into_iter();
    let ids: Vec<MessageId> = answers
        .map(|answer| answer.map_err(Rejected::into_error).expect("a duplicate is taken, if not stored"))
        .collect();
    assert!(ids[0] == ids[2] && ids[0] != ids[1], "{ids:?}");
    done(queue.next_is("one").await).await;
    done(queue.next_is("two").await).await;
    queue.is_quiet().await;
}

/// Q9: the window counts after a delete too.
async fn what_was_deleted_is_not_stored_again(case: Case) {
    let queue = case.ordered_queue().await;
    let first = queue.send(named("one", "x")).await;
    done(queue.next_is("one").await).await;
    assert_eq!(queue.send(named("one", "x")).await, first);
    queue.is_quiet().await;
}

/// Q9: it is the queue's, not the group's.
async fn an_id_is_the_same_in_every_group(case: Case) {
    let queue = case.ordered_queue().await;
    let first = queue.send(named("one", "x")).await;
    let elsewhere = Outgoing::new("one").with_group_key("b").with_deduplication_id("x");
    assert_eq!(queue.send(elsewhere).await, first);
    done(queue.next_is("one").await).await;
    queue.is_quiet().await;
}

/// Q9: one of them wins, and all hear of it; ten times over, as only a race shows.
async fn what_is_sent_by_many_at_once_is_stored_once(case: Case) {
    let queue = case.ordered_queue().await;
    for round in 0..10 {
        let mut senders = JoinSet::new();
        for sender in 0..8 {
            let queue = Arc::clone(queue.queue());
            let message = named(&format!("by sender {sender}"), &format!("x{round}"));
            senders.spawn(async move { queue.publish_one(message).await.map_err(Rejected::into_error) });
        }
        let ids = senders.join_all().await.into_iter();
        let mut ids: Vec<_> = ids.map(|id| id.expect("a duplicate is taken, if not stored")).collect();
        ids.dedup();
        assert_eq!(ids.len(), 1, "all have the id of the one that is stored: {ids:?}");
        let stored = queue.take_one().await;
        assert_eq!(stored.message().id(), &ids[0]);
        done(stored).await;
    }
    queue.is_quiet().await;
}

/// Q9, Q11: a refused message is not a first one.
async fn what_was_refused_can_be_sent_again(case: Case) {
    let queue = case.ordered_queue().await;
    queue.queue().publish_one(named("", "x")).await.expect_err("it has no body");
    queue.send(named("one", "x")).await;
    queue.next_is("one").await.forget();
    queue.send(grouped("b1")).await;
    queue.next_is("b1").await.forget();
}
