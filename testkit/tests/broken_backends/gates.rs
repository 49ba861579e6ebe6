//! Gates that break one promise each, and the clauses that see it.

mod broken;
mod fault;

use std::sync::Arc;

use queue_core::{MasterGate, OpenGate};
use testkit::{Promises, gate};

use crate::expected::{all_are_named, named, sees};
use broken::Broken;
use fault::{EXPECTED, Fault};

#[test]
fn the_suite_sees_gates_that_judge_wrongly() {
    sees(EXPECTED, |fault| match fault {
        Fault::Open => gate(Promises::gated(), || OpenGate),
        Fault::Shared => {
            let shared = Arc::new(MasterGate::new());
            gate(Promises::gated(), move || Arc::clone(&shared))
        }
        _ => gate(Promises::gated(), move || Broken::new(fault)),
    });
}

#[test]
fn every_clause_is_failed_by_a_broken_gate() {
    all_are_named(&gate(Promises::gated(), MasterGate::new), named(EXPECTED));
}
