//! Refusals: what an ordered queue can't store is handed back, and the group goes on without it.

use queue_core::QueueErrorKind::Permanent;
use queue_core::{Outgoing, PublisherExt, Rejected};

use super::moves::{done, grouped};
use crate::clause::Clause;
use crate::pace::Pace;
use crate::queue::QueueClause;
use crate::queue::case::Case;
use crate::queue::subject::Subject;

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(a_message_without_a_group_is_refused),
        Clause::of(a_message_with_nothing_to_tell_it_by_is_refused),
        Clause::of(a_delay_of_its_own_is_refused_where_there_is_an_order),
        Clause::of(a_refused_message_leaves_no_gap_in_its_group),
    ]
}

async fn refuses(queue: &Subject, message: Outgoing) {
    let rejected = queue.queue().publish_one(message.clone()).await.expect_err("it can't be stored");
    assert_eq!(rejected.kind(), Permanent, "{rejected:?}");
    assert_eq!(rejected.message(), &message, "it is handed back");
    queue.is_quiet().await;
}

/// Q8, Q11: there is no order to put it in.
async fn a_message_without_a_group_is_refused(case: Case) {
    let queue = case.ordered_queue().await;
    refuses(&queue, Outgoing::new("a1").with_deduplication_id("a1")).await;
}

/// Q9, Q11: no deduplication id, and the queue is not set up to go by the body.
async fn a_message_with_nothing_to_tell_it_by_is_refused(case: Case) {
    let queue = case.ordered_queue().await;
    refuses(&queue, Outgoing::new("a1").with_group_key("a")).await;
}

/// Q8, Q11: a message that is hidden alone would be overtaken.
async fn a_delay_of_its_own_is_refused_where_there_is_an_order(case: Case) {
    let queue = case.ordered_queue().await;
    refuses(&queue, grouped("a1").with_delay(Pace::WAIT)).await;
}

/// Q6, Q8, Q11: the rest of the batch is stored, in its order.
async fn a_refused_message_leaves_no_gap_in_its_group(case: Case) {
    let queue = case.ordered_queue().await;
    let batch = vec![grouped("a1"), grouped("a2").with_delay(Pace::WAIT), grouped("a3")];
    let answers = queue.queue().publish(batch).await;
    let refused: Vec<_> = answers.iter().map(|answer| answer.as_ref().err().map(Rejected::kind)).collect();
    assert_eq!(refused, [None, Some(Permanent), None]);
    done(queue.next_is("a1").await).await;
    queue.next_is("a3").await.forget();
}
