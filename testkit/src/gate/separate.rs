//! Classes and gates: each for itself.

use queue_core::WorkerClass;

use super::GateClause;
use super::GatePromise::{Closes, Separate};
use super::case::Case;
use super::subject::empty;
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<GateClause> {
    vec![
        Clause::of(every_class_starts_closed).when(Closes),
        Clause::of(a_class_has_a_master_of_its_own),
        Clause::of(opening_one_class_opens_no_other).when(Closes).when(Separate),
        Clause::of(closing_one_class_closes_no_other).when(Separate),
        Clause::of(two_gates_do_not_influence_each_other).when(Closes).when(Separate),
    ]
}

fn own_class() -> WorkerClass {
    WorkerClass::new("night-shift").expect("letters and a hyphen")
}

/// G1: the usual ones and those of one's own.
async fn every_class_starts_closed(case: Case) {
    let gate = case.gate();
    for class in [WorkerClass::MAIN, WorkerClass::RETRY, WorkerClass::TEST, own_class()] {
        gate.of(class).is_closed().await;
    }
}

/// G1, G2: a poll of one class's master keeps no other master waiting.
async fn a_class_has_a_master_of_its_own(case: Case) {
    let gate = case.gate();
    let _main = gate.turn(0).await;
    let _retry = gate.of(WorkerClass::RETRY).turn(0).await;
    let _own = gate.of(own_class()).turn(0).await;
}

/// G1.
async fn opening_one_class_opens_no_other(case: Case) {
    let gate = case.gate();
    gate.open().await;
    gate.of(WorkerClass::RETRY).is_closed().await;
    gate.of(own_class()).is_closed().await;
    gate.is_open().await;
}

/// G1.
async fn closing_one_class_closes_no_other(case: Case) {
    let gate = case.gate();
    let retry = gate.of(WorkerClass::RETRY);
    gate.open().await;
    retry.open().await;
    retry.turn(0).await.report(empty());
    gate.is_open().await;
}

/// G1: nor do queues.
async fn two_gates_do_not_influence_each_other(case: Case) {
    let (one, other) = (case.gate(), case.gate());
    one.open().await;
    other.is_closed().await;
    other.turn(0).await.report(empty());
    one.is_open().await;
}
