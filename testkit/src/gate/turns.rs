//! Turns: who may poll.

use super::GateClause;
use super::GatePromise::{Closes, HandsOver};
use super::case::Case;
use super::subject::{empty, slow};
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<GateClause> {
    vec![
        Clause::of(the_master_polls_again_and_again),
        Clause::of(everyone_may_poll_while_the_gate_is_open),
        Clause::of(the_master_may_poll_while_the_gate_is_open),
        Clause::of(a_gate_that_opened_before_a_worker_came_lets_it_in),
        Clause::of(worker_0_comes_before_others_that_wait).when(Closes).when(HandsOver),
    ]
}

/// G2: closed or not, worker 0 gets a turn whenever it asks, if nobody stands in for it.
async fn the_master_polls_again_and_again(case: Case) {
    let gate = case.gate();
    for outcome in [empty(), empty(), slow(10, 1), empty()] {
        gate.turn(0).await.report(outcome);
    }
    drop(gate.turn(0).await);
    drop(gate.turn(0).await);
}

/// G2: at the same time.
async fn everyone_may_poll_while_the_gate_is_open(case: Case) {
    let gate = case.gate();
    gate.open().await;
    let mut turns = Vec::new();
    for number in (0..10).rev() {
        turns.push(gate.turn(number).await);
    }
    assert_eq!(turns.len(), 10);
}

/// G2: the others' polls do not keep it waiting.
async fn the_master_may_poll_while_the_gate_is_open(case: Case) {
    let gate = case.gate();
    gate.open().await;
    let _others = (gate.turn(1).await, gate.turn(2).await);
    let _master = gate.turn(0).await;
}

/// G4: opening is a state, not an event.
async fn a_gate_that_opened_before_a_worker_came_lets_it_in(case: Case) {
    let gate = case.gate();
    gate.open().await;
    let _master = gate.turn(0).await;
    drop(gate.waits(7).gets_one().await);
    drop(gate.waits(7).gets_one().await);
}

/// G2, G8: a stand-in is master only until worker 0 is back.
async fn worker_0_comes_before_others_that_wait(case: Case) {
    let gate = case.gate();
    let stand_in = gate.turn(2).await;
    let mut other = gate.waits(1);
    other.has_none().await;
    let mut master = gate.waits(0);
    master.has_none().await;
    stand_in.report(slow(10, 1));
    let _turn = master.gets_one().await;
    other.has_none().await;
}
