//! Polls that are running when the gate closes.

use super::GateClause;
use super::GatePromise::{Closes, Judges};
use super::case::Case;
use super::subject::{empty, slow};
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<GateClause> {
    vec![
        Clause::of(closing_waits_for_no_running_poll),
        Clause::of(a_poll_that_runs_on_after_the_gate_closed_ends_as_any).when(Closes).when(Judges),
    ]
}

/// G5: the master polls on while polls from before are still running.
async fn closing_waits_for_no_running_poll(case: Case) {
    let gate = case.gate();
    gate.open().await;
    let master = gate.turn(0).await;
    let _running = (gate.turn(3).await, gate.turn(4).await);
    master.report(empty());
    gate.turn(0).await.report(empty());
}

/// G5: it brings its messages; after that its worker waits like the others.
async fn a_poll_that_runs_on_after_the_gate_closed_ends_as_any(case: Case) {
    let gate = case.gate();
    gate.open().await;
    let master = gate.turn(0).await;
    let running = gate.turn(3).await;
    master.report(empty());
    let _master = gate.turn(0).await;
    running.report(slow(10, 7));
    gate.waits(3).has_none().await;
}
