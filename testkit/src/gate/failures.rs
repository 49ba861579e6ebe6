//! Receives that fail: they tell nothing about the queue.

use queue_core::Outcome;

use super::GateClause;
use super::GatePromise::{Closes, HandsOver};
use super::case::Case;
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<GateClause> {
    vec![
        Clause::of(a_failed_receive_opens_nothing).when(Closes),
        Clause::of(a_failed_receive_closes_nothing),
        Clause::of(after_a_failed_receive_the_next_worker_may_try).when(Closes).when(HandsOver),
    ]
}

/// G7: however often.
async fn a_failed_receive_opens_nothing(case: Case) {
    let gate = case.gate();
    for _time in 0..4 {
        gate.turn(0).await.report(Outcome::Failed);
    }
    gate.is_closed().await;
}

/// G7: the master's or another worker's.
async fn a_failed_receive_closes_nothing(case: Case) {
    let gate = case.gate();
    gate.open().await;
    gate.turn(0).await.report(Outcome::Failed);
    gate.is_open().await;
    let master = gate.turn(0).await;
    gate.turn(3).await.report(Outcome::Failed);
    drop(master);
    gate.is_open().await;
}

/// G7, G8: a master that pauses after a failure is stood in for.
async fn after_a_failed_receive_the_next_worker_may_try(case: Case) {
    let gate = case.gate();
    let master = gate.turn(0).await;
    let mut waiting = gate.wait_in_vain([1]).await;
    master.report(Outcome::Failed);
    let next = waiting.pop().expect("one waits");
    drop(next.gets_one().await);
}
