//! The queue behind a pointer: the same queue.

use std::sync::Arc;

use queue_core::{Consumer, Outgoing, Publisher, PublisherExt, Queue};

use super::case::Case;
use super::subject::Subject;
use super::{Fixture, QueueClause};
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![Clause::of(a_queue_behind_an_arc_and_a_box_is_the_same_queue)]
}

/// Every clause runs through `Arc<dyn Queue>`; this one through a `Box` around that.
async fn a_queue_behind_an_arc_and_a_box_is_the_same_queue(case: Case) {
    let queue = case.queue().await;
    let boxed: Box<dyn Queue> = Box::new(Arc::clone(queue.queue()));
    assert_eq!(boxed.limits(), queue.queue().limits());
    assert_eq!(boxed.receive_limits(), queue.queue().receive_limits());
    let id = boxed.publish_one(Outgoing::new("a")).await.expect("a sound message is taken");
    let boxed = Subject::new(Fixture::new(boxed), case.pace);
    let held = boxed.lease_one().await;
    assert_eq!(held.delivery.message().id(), &id);
    let again = queue.comes(held.back, case.pace.lease()).await;
    again.delivery.ack().await.expect("what is held can be deleted");
    boxed.is_quiet_after(again.back).await;
}
