//! Opening and closing: what a receive's outcome does to the gate.

use super::GateClause;
use super::GatePromise::{Closes, Judges};
use super::case::Case;
use super::subject::{empty, full, quick, slow};
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<GateClause> {
    let clauses = [
        Clause::of(half_of_what_was_asked_for_opens),
        Clause::of(less_than_half_opens_nothing),
        Clause::of(any_message_opens_when_one_was_asked_for),
        Clause::of(the_third_quick_receive_in_a_row_opens),
        Clause::of(a_receive_that_waited_breaks_the_row),
        Clause::of(an_empty_receive_breaks_the_row),
        Clause::of(a_small_receive_closes_nothing),
        Clause::of(another_workers_messages_open_nothing),
        Clause::of(another_workers_message_closes_nothing),
        Clause::of(an_empty_receive_of_the_master_closes),
        Clause::of(an_empty_receive_of_anyone_closes),
        Clause::of(a_gate_that_closed_can_open_again),
    ];
    clauses.into_iter().map(|clause| clause.when(Closes).when(Judges)).collect()
}

/// G3: five of ten, two of three.
async fn half_of_what_was_asked_for_opens(case: Case) {
    for (asked, got) in [(10, 5), (10, 10), (3, 2), (2, 1)] {
        let gate = case.gate();
        gate.turn(0).await.report(slow(asked, got));
        gate.is_open().await;
    }
}

/// G3: four of ten, one of three.
async fn less_than_half_opens_nothing(case: Case) {
    for (asked, got) in [(10, 4), (10, 1), (3, 1)] {
        let gate = case.gate();
        gate.turn(0).await.report(slow(asked, got));
        gate.is_closed().await;
    }
}

/// G3: with batches of one, the original rule.
async fn any_message_opens_when_one_was_asked_for(case: Case) {
    let gate = case.gate();
    gate.turn(0).await.report(slow(1, 1));
    gate.is_open().await;
}

/// G3: small answers without a wait, as standard queues give them though more is there; the third, not the second.
async fn the_third_quick_receive_in_a_row_opens(case: Case) {
    let gate = case.gate();
    gate.turn(0).await.report(quick(10, 1));
    gate.turn(0).await.report(quick(10, 1));
    gate.is_closed().await;
    gate.turn(0).await.report(quick(10, 1));
    gate.is_open().await;
}

/// G3: in a row.
async fn a_receive_that_waited_breaks_the_row(case: Case) {
    let gate = case.gate();
    for outcome in [quick(10, 1), quick(10, 1), slow(10, 1), quick(10, 1), quick(10, 1)] {
        gate.turn(0).await.report(outcome);
    }
    gate.is_closed().await;
}

/// G3: in a row.
async fn an_empty_receive_breaks_the_row(case: Case) {
    let gate = case.gate();
    for outcome in [quick(10, 1), quick(10, 1), empty(), quick(10, 1), quick(10, 1)] {
        gate.turn(0).await.report(outcome);
    }
    gate.is_closed().await;
}

/// G3: it leaves the gate as it is.
async fn a_small_receive_closes_nothing(case: Case) {
    let gate = case.gate();
    gate.open().await;
    gate.turn(0).await.report(slow(10, 1));
    gate.is_open().await;
}

/// G3: only the acting master judges. The others have turns from before the gate closed.
async fn another_workers_messages_open_nothing(case: Case) {
    let gate = case.gate();
    gate.open().await;
    let master = gate.turn(0).await;
    let others = [gate.turn(1).await, gate.turn(2).await, gate.turn(3).await, gate.turn(4).await];
    master.report(empty());
    let [first, quick_ones @ ..] = others;
    first.report(full());
    gate.is_closed().await;
    for turn in quick_ones {
        turn.report(quick(10, 1));
    }
    gate.is_closed().await;
}

/// G3: and it leaves the gate open as well.
async fn another_workers_message_closes_nothing(case: Case) {
    let gate = case.gate();
    gate.open().await;
    let master = gate.turn(0).await;
    gate.turn(3).await.report(slow(10, 1));
    drop(master);
    gate.is_open().await;
}

/// G3.
async fn an_empty_receive_of_the_master_closes(case: Case) {
    let gate = case.gate();
    gate.open().await;
    gate.turn(0).await.report(empty());
    gate.is_closed().await;
}

/// G3: whoever finds the queue empty.
async fn an_empty_receive_of_anyone_closes(case: Case) {
    let gate = case.gate();
    gate.open().await;
    let master = gate.turn(0).await;
    gate.turn(3).await.report(empty());
    drop(master);
    gate.is_closed().await;
}

/// G3: any number of times.
async fn a_gate_that_closed_can_open_again(case: Case) {
    let gate = case.gate();
    for _burst in 0..3 {
        gate.open().await;
        gate.is_open().await;
        gate.turn(0).await.report(empty());
        gate.is_closed().await;
    }
}
