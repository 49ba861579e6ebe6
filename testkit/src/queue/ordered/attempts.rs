//! Attempts: a receive whose answer was lost is repeated under its id.

use std::time::Duration;

use queue_core::{Delivery, ReceiveOptions};
use tokio::time::{Instant, sleep};

use super::moves::{done, give_back, words};
use crate::clause::Clause;
use crate::pace::{Pace, Window};
use crate::queue::QueueClause;
use crate::queue::QueuePromise::AttemptIds;
use crate::queue::case::Case;
use crate::queue::subject::Subject;

pub(super) fn clauses() -> Vec<QueueClause> {
    let clauses = [
        Clause::of(a_repeated_attempt_brings_the_same_messages_receipts_and_counts),
        Clause::of(a_repeated_attempt_hides_its_messages_anew),
        Clause::of(what_a_repeated_attempt_brings_can_be_deleted),
        Clause::of(an_attempt_of_which_something_was_deleted_is_not_repeated),
        Clause::of(an_attempt_of_which_something_was_released_is_not_repeated),
        Clause::of(an_attempt_that_ran_out_is_not_repeated),
        Clause::of(another_attempt_gets_nothing_of_it),
        Clause::of(an_attempt_that_brought_nothing_is_not_remembered),
    ];
    clauses.into_iter().map(|clause| clause.when(AttemptIds)).collect()
}

fn attempt(queue: &Subject, id: &str) -> ReceiveOptions {
    ReceiveOptions::new(queue.batch()).with_attempt_id(id).with_visibility(Pace::HOLD)
}

/// What tells one delivery from another.
fn traits(deliveries: &[Delivery]) -> Vec<(String, String, u32)> {
    let traits = |delivery: &Delivery| {
        let message = delivery.message();
        (message.body().to_owned(), delivery.receipt().as_str().to_owned(), message.receive_count())
    };
    deliveries.iter().map(traits).collect()
}

/// Q8: as if the first answer had come.
async fn a_repeated_attempt_brings_the_same_messages_receipts_and_counts(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1 a2 b1").await;
    let lost = queue.take_as(attempt(&queue, "x")).await;
    queue.send_words("c1").await;
    for _time in 0..2 {
        let again = queue.take_as(attempt(&queue, "x")).await;
        assert_eq!(traits(&again), traits(&lost));
    }
    queue.next_is("c1").await.forget();
}

/// Q8: from the last time on it was asked.
async fn a_repeated_attempt_hides_its_messages_anew(case: Case) {
    let (queue, lease) = (case.ordered_queue().await, case.pace.lease());
    queue.send_words("a1").await;
    let _lost = queue.take_as(attempt(&queue, "x").with_visibility(lease)).await;
    sleep(lease / 2).await;
    let asked = Instant::now();
    let again = attempt(&queue, "x").with_visibility(lease).with_wait(Duration::ZERO);
    assert_eq!(words(&queue.receive(again).await), ["a1"]);
    let next = queue.comes_in(Window::after(asked, lease)).await;
    assert_eq!(next.message().receive_count(), 2, "the repetition does not count");
}

/// Q8: they are whole deliveries.
async fn what_a_repeated_attempt_brings_can_be_deleted(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1").await;
    let _lost = queue.take_as(attempt(&queue, "x")).await;
    for delivery in queue.take_as(attempt(&queue, "x")).await {
        done(delivery).await;
    }
    queue.send_words("a2").await;
    queue.next_is("a2").await.forget();
}

/// Two messages of different groups under an attempt's id.
async fn two_groups(queue: &Subject, visibility: Duration) -> Vec<Delivery> {
    queue.send_words("a1 b1").await;
    let first = queue.take_as(attempt(queue, "x").with_visibility(visibility)).await;
    assert_eq!(words(&first), ["a1", "b1"]);
    first
}

/// Q8: whoever deletes has the answer; the id is a new one.
async fn an_attempt_of_which_something_was_deleted_is_not_repeated(case: Case) {
    let queue = case.ordered_queue().await;
    let mut first = two_groups(&queue, Pace::HOLD).await;
    done(first.remove(0)).await;
    queue.send_words("c1").await;
    assert_eq!(words(&queue.take_as(attempt(&queue, "x")).await), ["c1"]);
}

/// Q8: so has whoever releases.
async fn an_attempt_of_which_something_was_released_is_not_repeated(case: Case) {
    let queue = case.ordered_queue().await;
    let mut first = two_groups(&queue, Pace::HOLD).await;
    give_back(first.remove(0)).await;
    let next = queue.take_as(attempt(&queue, "x")).await;
    assert_eq!(words(&next), ["a1"]);
    assert_eq!(next[0].message().receive_count(), 2, "it is a delivery of its own");
}

/// Q3, Q8: after the timeout anybody may have the messages.
async fn an_attempt_that_ran_out_is_not_repeated(case: Case) {
    let queue = case.ordered_queue().await;
    let asked = Instant::now();
    let first = two_groups(&queue, case.pace.lease()).await;
    queue.pass(Window::after(asked, case.pace.lease())).await;
    let next = queue.take_as(attempt(&queue, "x")).await;
    assert_eq!(next[0].message().receive_count(), 2, "it is a delivery of its own");
    assert_ne!(next[0].receipt(), first[0].receipt());
}

/// Q8: an id is worth nothing to others.
async fn another_attempt_gets_nothing_of_it(case: Case) {
    let queue = case.ordered_queue().await;
    let _first = two_groups(&queue, Pace::HOLD).await;
    let other = queue.receive(attempt(&queue, "y").with_wait(Pace::WAIT)).await;
    assert!(other.is_empty(), "these came: {:?}", words(&other));
}

/// Q8: asked again, it finds what came meanwhile.
async fn an_attempt_that_brought_nothing_is_not_remembered(case: Case) {
    let queue = case.ordered_queue().await;
    let nothing = queue.receive(attempt(&queue, "x").with_wait(Duration::ZERO)).await;
    assert!(nothing.is_empty());
    queue.send_words("a1").await;
    assert_eq!(words(&queue.take_as(attempt(&queue, "x")).await), ["a1"]);
}
