//! The closed gate: the others wait, and are woken when it opens.

use super::GateClause;
use super::GatePromise::{Closes, Judges};
use super::case::Case;
use super::subject::{empty, full, slow};
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<GateClause> {
    vec![
        Clause::of(nobody_but_the_master_gets_a_turn_while_the_gate_is_closed).when(Closes),
        Clause::of(everyone_that_waits_is_woken_when_the_gate_opens).when(Closes),
        Clause::of(no_wake_up_is_lost_in_many_bursts).when(Closes).when(Judges),
    ]
}

/// G4: however often the master polls, and finds nothing or little.
async fn nobody_but_the_master_gets_a_turn_while_the_gate_is_closed(case: Case) {
    let gate = case.gate();
    let mut master = gate.turn(0).await;
    let mut others = gate.wait_in_vain(1..10).await;
    for outcome in [empty(), empty(), slow(10, 4), empty(), slow(10, 1)] {
        master.report(outcome);
        master = gate.turn(0).await;
        for other in &mut others {
            other.has_none().await;
        }
    }
}

/// G4: without a timer, so at once.
async fn everyone_that_waits_is_woken_when_the_gate_opens(case: Case) {
    let gate = case.gate();
    let master = gate.turn(0).await;
    let others = gate.wait_in_vain(1..10).await;
    master.report(full());
    let _master = gate.turn(0).await;
    let mut turns = Vec::new();
    for other in others {
        turns.push(other.gets_one().await);
    }
    assert_eq!(turns.len(), 9);
}

/// G4: burst after burst.
async fn no_wake_up_is_lost_in_many_bursts(case: Case) {
    let gate = case.gate();
    for _burst in 0..50 {
        let master = gate.turn(0).await;
        let others = gate.wait_in_vain([1, 2]).await;
        master.report(full());
        let master = gate.turn(0).await;
        for other in others {
            other.gets_one().await.report(slow(10, 1));
        }
        master.report(empty());
    }
}
