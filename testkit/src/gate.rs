//! The contract of a [`PollGate`](queue_core::PollGate).

mod case;
mod closed;
mod factory;
mod failures;
mod opening;
mod promise;
mod running;
mod separate;
mod subject;
mod takeover;
mod turns;

use std::sync::Arc;

use crate::clause::Clause;
use crate::promises::Promises;
use crate::run::Threads;
use crate::suite::{Start, Suite};
use case::Case;

pub use factory::GateFactory;
pub use promise::GatePromise;

type GateClause = Clause<Case, GatePromise>;

/// Makes the suite of a poll gate.
///
/// `factory` makes a fresh gate for each clause: `|| MyGate::new()`. It is called within a tokio runtime.
/// Each clause's documentation says which guarantee it checks; it checks what one process can see.
pub fn gate(promises: Promises<GatePromise>, factory: impl GateFactory) -> Suite {
    let factory = Arc::new(factory);
    let case = move |pace| Case::new(Arc::clone(&factory), pace);
    Suite::new(promises, clauses(), Start { case, can_set_up: true, threads: Threads::One })
}

fn clauses() -> Vec<GateClause> {
    let themes = [
        separate::clauses(),
        turns::clauses(),
        opening::clauses(),
        closed::clauses(),
        running::clauses(),
        failures::clauses(),
        takeover::clauses(),
    ];
    themes.into_iter().flatten().collect()
}
