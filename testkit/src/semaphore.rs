//! The contract of a [`Semaphore`](semaphore::Semaphore), with its [`Holders`](semaphore::Holders).

mod arguments;
mod case;
mod collecting;
mod dropping;
mod expiry;
mod factory;
mod fixture;
mod granting;
mod holding;
mod maximum;
mod promise;
mod racing;
mod stale;
mod subject;
mod watching;

use std::sync::Arc;

use crate::clause::Clause;
use crate::promises::Promises;
use crate::run::Threads;
use crate::suite::{Start, Suite};
use case::Case;

pub use factory::SemaphoreFactory;
pub use fixture::SemaphoreFixture;
pub use promise::SemaphorePromise;

type SemaphoreClause = Clause<Case, SemaphorePromise>;

/// Makes the suite of a semaphore.
///
/// `factory` makes a fresh one for each clause, `|| async { MySemaphore::fresh().await }`, with storage that it shares with
/// no other clause. It has to take leases as short as 100 ms. In real time a lease is four times the
/// [`slack`](Promises::slack), and some clauses take three leases.
///
/// Each clause's documentation says which guarantee it checks; it checks what one process can see.
pub fn semaphore(promises: Promises<SemaphorePromise>, factory: impl SemaphoreFactory) -> Suite {
    let factory: Arc<dyn SemaphoreFactory> = Arc::new(factory);
    let case = move |pace| Case::new(Arc::clone(&factory), pace);
    Suite::new(promises, clauses(), Start { case, can_set_up: true, threads: Threads::Several })
}

fn clauses() -> Vec<SemaphoreClause> {
    let themes = [
        granting::clauses(),
        racing::clauses(),
        maximum::clauses(),
        holding::clauses(),
        expiry::clauses(),
        stale::clauses(),
        dropping::clauses(),
        arguments::clauses(),
        watching::clauses(),
        collecting::clauses(),
    ];
    themes.into_iter().flatten().collect()
}
