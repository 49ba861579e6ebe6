//! The dead-letter queue: where a message goes that was received too often.

use std::time::Duration;

use queue_core::{AttributeValue, Outgoing};

use super::QueueClause;
use super::QueuePromise::DeadLetter;
use super::case::Case;
use super::subject::{Subject, bodies};
use crate::clause::Clause;
use crate::pace::Window;

pub(super) fn clauses() -> Vec<QueueClause> {
    let clauses = [
        Clause::of(a_message_moves_after_its_last_allowed_delivery),
        Clause::of(a_message_whose_consumers_died_moves_too),
        Clause::of(a_message_does_not_move_before_its_last_allowed_delivery),
        Clause::of(a_message_can_be_deleted_in_its_last_allowed_delivery),
        Clause::of(a_message_moves_with_body_and_attributes_intact),
        Clause::of(a_message_moves_alone),
    ];
    clauses.into_iter().map(|clause| clause.when(DeadLetter).needs_setup()).collect()
}

/// A queue whose messages may be received twice, and its dead-letter queue.
async fn twice_at_most(case: &Case) -> (Subject, Subject) {
    let queue = case.queue_with(|setup| setup.max_receive_count = Some(2)).await;
    let dead = queue.dead_letter();
    (queue, dead)
}

/// Receives a message and gives it back.
async fn fail(queue: &Subject) {
    let held = queue.take_one().await;
    held.release(Duration::ZERO).await.expect("what is held can be released");
}

/// Q7: received as often as allowed, it is in the dead-letter queue and in the queue no more.
async fn a_message_moves_after_its_last_allowed_delivery(case: Case) {
    let (queue, dead) = twice_at_most(&case).await;
    queue.send(Outgoing::new("poison")).await;
    fail(&queue).await;
    fail(&queue).await;
    queue.is_quiet().await;
    assert_eq!(dead.take_one().await.message().body(), "poison");
    dead.is_quiet().await;
}

/// Q7: deliveries that were never settled count as well.
async fn a_message_whose_consumers_died_moves_too(case: Case) {
    let (queue, dead) = twice_at_most(&case).await;
    queue.send(Outgoing::new("poison")).await;
    let first = queue.lease_one().await;
    let second = queue.comes(first.back, case.pace.lease()).await;
    dead.is_quiet().await;
    queue.pass(second.back).await;
    queue.is_quiet().await;
    assert_eq!(dead.take_one().await.message().body(), "poison");
}

/// Q7: after one delivery of two it comes once more.
async fn a_message_does_not_move_before_its_last_allowed_delivery(case: Case) {
    let (queue, dead) = twice_at_most(&case).await;
    queue.send(Outgoing::new("flaky")).await;
    fail(&queue).await;
    let last = queue.comes_in(Window::now()).await;
    assert_eq!(last.message().body(), "flaky");
    dead.is_quiet().await;
}

/// Q7: the last delivery is as good as any: extended, deleted, and gone from everywhere.
async fn a_message_can_be_deleted_in_its_last_allowed_delivery(case: Case) {
    let (queue, dead) = twice_at_most(&case).await;
    queue.send(Outgoing::new("flaky")).await;
    fail(&queue).await;
    let mut last = queue.take_one().await;
    last.extend(case.pace.lease()).await.expect("what is held can be extended");
    last.ack().await.expect("what is held can be deleted");
    queue.is_quiet_after(Window::within(case.pace.lease())).await;
    dead.is_quiet().await;
}

/// Q7: nothing is lost on the way.
async fn a_message_moves_with_body_and_attributes_intact(case: Case) {
    let (queue, dead) = twice_at_most(&case).await;
    let message = Outgoing::new("poison\twith a <body>")
        .with_attribute("text", "some & more")
        .with_attribute("number", AttributeValue::number(7).with_label("days"))
        .with_attribute("bytes", AttributeValue::binary([0_u8, 255, 10]));
    queue.send(message.clone()).await;
    fail(&queue).await;
    fail(&queue).await;
    queue.is_quiet().await;
    let moved = dead.take_one().await;
    assert_eq!(moved.message().body(), message.body());
    for (name, value) in message.attributes().iter() {
        assert_eq!(moved.message().attributes().get(name), Some(value), "attribute {name}");
    }
}

/// Q7: counts are by message.
async fn a_message_moves_alone(case: Case) {
    let (queue, dead) = twice_at_most(&case).await;
    queue.send(Outgoing::new("poison")).await;
    fail(&queue).await;
    fail(&queue).await;
    queue.send(Outgoing::new("sound")).await;
    assert_eq!(bodies(&queue.take(1).await), ["sound"]);
    queue.is_quiet().await;
    assert_eq!(bodies(&dead.take(1).await), ["poison"]);
    dead.is_quiet().await;
}
