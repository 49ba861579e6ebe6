//! Looking into a queue: its depth by state, and purging it.

use queue_core::{Depth, Outgoing};

use super::QueueClause;
use super::QueuePromise::{Delay, ExactDepth, Purge};
use super::case::Case;
use super::subject::{Subject, numbered};
use crate::clause::Clause;
use crate::pace::Window;

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(an_empty_queue_has_no_depth).when(ExactDepth),
        Clause::of(the_depth_counts_what_is_visible_and_what_is_in_flight).when(ExactDepth),
        Clause::of(the_depth_counts_what_is_delayed).when(ExactDepth).when(Delay),
        Clause::of(an_expired_delivery_counts_as_visible).when(ExactDepth),
        Clause::of(a_deleted_message_counts_no_more).when(ExactDepth),
        Clause::of(a_purge_removes_every_message).when(Purge),
    ]
}

async fn depth(queue: &Subject) -> Depth {
    queue.inspect().depth().await.expect("the depth is known")
}

/// Visible, in flight, delayed.
fn states(depth: Depth) -> (u64, u64, u64) {
    (depth.visible, depth.in_flight, depth.delayed)
}

/// Nothing in any state, and no oldest message.
async fn an_empty_queue_has_no_depth(case: Case) {
    let queue = case.queue().await;
    assert_eq!(depth(&queue).await, Depth::empty());
}

/// A receive moves a message from one to the other.
async fn the_depth_counts_what_is_visible_and_what_is_in_flight(case: Case) {
    let queue = case.queue().await;
    queue.send_all(&numbered(3)).await;
    assert_eq!(states(depth(&queue).await), (3, 0, 0));
    let _held = queue.take_one().await;
    assert_eq!(states(depth(&queue).await), (2, 1, 0));
}

/// A delayed message is neither visible nor in flight.
async fn the_depth_counts_what_is_delayed(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("late").with_delay(case.pace.lease())).await;
    let due = Window::within(case.pace.lease());
    assert_eq!(states(depth(&queue).await), (0, 0, 1));
    queue.pass(due).await;
    assert_eq!(states(depth(&queue).await), (1, 0, 0));
}

/// The end of a timeout counts though nobody has looked.
async fn an_expired_delivery_counts_as_visible(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let held = queue.lease_one().await;
    assert_eq!(states(depth(&queue).await), (0, 1, 0));
    queue.pass(held.back).await;
    assert_eq!(states(depth(&queue).await), (1, 0, 0));
}

/// It is in no state.
async fn a_deleted_message_counts_no_more(case: Case) {
    let queue = case.queue().await;
    queue.send_all(&numbered(2)).await;
    queue.take_one().await.ack().await.expect("what is held can be deleted");
    assert_eq!(states(depth(&queue).await), (1, 0, 0));
}

/// Also those in flight; settling them later succeeds or is *lost*, and brings nothing back.
async fn a_purge_removes_every_message(case: Case) {
    let queue = case.queue().await;
    queue.send_all(&numbered(3)).await;
    let (held, other) = (queue.lease_one().await, queue.lease_one().await);
    queue.inspect().purge().await.expect("a queue can be purged");
    if let Err(error) = other.delivery.release(std::time::Duration::ZERO).await {
        assert_eq!(error.kind(), queue_core::QueueErrorKind::Lost, "{error}");
    }
    queue.is_quiet_after(held.back).await;
}
