//! How much a receive brings: what it asks for at most, and what it may ask for.

use std::time::Duration;

use queue_core::QueueErrorKind::Permanent;
use queue_core::{QueueError, ReceiveOptions};

use super::QueueClause;
use super::QueuePromise::FullBatches;
use super::case::Case;
use super::subject::{Subject, bodies, numbered};
use crate::clause::Clause;
use crate::pace::Pace;

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(a_receive_brings_no_more_than_it_asks_for),
        Clause::of(a_receive_brings_as_many_as_it_asks_for_when_they_are_there).when(FullBatches),
        Clause::of(asking_for_too_many_messages_is_refused),
        Clause::of(asking_for_too_long_a_wait_is_refused),
        Clause::of(what_was_not_asked_for_stays_for_others),
    ]
}

/// Q5: `max_messages` is a bound.
async fn a_receive_brings_no_more_than_it_asks_for(case: Case) {
    let queue = case.queue().await;
    queue.send_all(&numbered(5)).await;
    for asked in [1, 2] {
        let got = queue.receive(ReceiveOptions::new(asked).with_wait(Pace::WAIT)).await;
        assert!(got.len() <= asked, "{asked} asked for, these came: {:?}", bodies(&got));
    }
}

/// Q5: ten asked for, ten there, ten come.
async fn a_receive_brings_as_many_as_it_asks_for_when_they_are_there(case: Case) {
    let queue = case.queue().await;
    let batch = queue.batch();
    queue.send_all(&numbered(batch + 1)).await;
    let got = queue.receive(ReceiveOptions::new(batch).with_wait(Pace::WAIT)).await;
    assert_eq!(got.len(), batch, "these came: {:?}", bodies(&got));
}

/// Q5: a receive of one leaves the others where they are.
async fn what_was_not_asked_for_stays_for_others(case: Case) {
    let queue = case.queue().await;
    queue.send_all(&numbered(3)).await;
    let mut got = vec![queue.take_one().await];
    got.extend(queue.take(2).await);
    assert_eq!(bodies(&got), numbered(3));
}

/// `Consumer::receive`: more messages than `receive_limits` allows are a *permanent* error.
async fn asking_for_too_many_messages_is_refused(case: Case) {
    let queue = case.queue().await;
    let batch = queue.queue().receive_limits().batch;
    refuses(&queue, ReceiveOptions::new(batch + 1).with_wait(Duration::ZERO)).await;
}

/// `Consumer::receive`: so is a longer wait.
async fn asking_for_too_long_a_wait_is_refused(case: Case) {
    let queue = case.queue().await;
    let too_long = queue.queue().receive_limits().max_wait + Duration::from_secs(1);
    refuses(&queue, ReceiveOptions::new(1).with_wait(too_long)).await;
}

async fn refuses(queue: &Subject, options: ReceiveOptions) {
    queue.send_all(&numbered(1)).await;
    let answer = queue.queue().receive(options).await;
    let kind = answer.as_ref().map(Vec::len).map_err(QueueError::kind);
    assert_eq!(kind, Err(Permanent), "more than receive_limits() allow");
    queue.take_one().await.forget();
}
