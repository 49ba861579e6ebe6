//! The contract of a queue: [`Publisher`](queue_core::Publisher) and [`Consumer`](queue_core::Consumer) together.

mod batches;
mod case;
mod concurrency;
mod content;
mod counts;
mod dead_letter;
mod delays;
mod depth;
mod drops;
mod factory;
mod fixture;
mod limits;
mod ordered;
mod promise;
mod receipts;
mod receives;
mod retention;
mod setup;
mod subject;
mod visibility;
mod waiting;
mod wrapped;

use std::sync::Arc;

use crate::clause::Clause;
use crate::promises::Promises;
use crate::run::Threads;
use crate::suite::{Start, Suite};
use case::Case;

pub use factory::QueueFactory;
pub use fixture::Fixture;
pub use promise::QueuePromise;
pub use setup::Setup;

type QueueClause = Clause<Case, QueuePromise>;

/// Makes the suite of a queue.
///
/// `factory` makes a fresh queue for each clause: `|| async { MyQueue::fresh().await }`, or, with the clauses that
/// need a queue that is set up in a certain way, `|setup: Setup| async move { … }`.
///
/// Each clause's documentation says which guarantee it checks; it checks what one process can see.
pub fn queue<M>(promises: Promises<QueuePromise>, factory: impl QueueFactory<M>) -> Suite {
    suite(promises, factory, clauses())
}

/// Makes the suite of an ordered queue, what Amazon SQS calls FIFO: beside that of [`queue`](fn@queue), which it does
/// not repeat.
///
/// `factory` takes a [`Setup`] and makes the queue [`ordered`](Setup::ordered); the promises begin with
/// [`Promises::ordered`].
pub fn ordered_queue<M>(promises: Promises<QueuePromise>, factory: impl QueueFactory<M>) -> Suite {
    suite(promises, factory, ordered::clauses())
}

fn suite<M>(
    promises: Promises<QueuePromise>,
    factory: impl QueueFactory<M>,
    clauses: Vec<QueueClause>,
) -> Suite {
    let can_set_up = factory.can_set_up();
    let factory = Arc::new(factory);
    let case = move |pace| Case::new(Arc::clone(&factory), pace);
    Suite::new(promises, clauses, Start { case, can_set_up, threads: Threads::Several })
}

fn clauses() -> Vec<QueueClause> {
    let themes = [
        visibility::clauses(),
        receipts::clauses(),
        waiting::clauses(),
        receives::clauses(),
        batches::clauses(),
        counts::clauses(),
        dead_letter::clauses(),
        delays::clauses(),
        retention::clauses(),
        limits::clauses(),
        content::clauses(),
        drops::clauses(),
        concurrency::clauses(),
        depth::clauses(),
        wrapped::clauses(),
    ];
    themes.into_iter().flatten().collect()
}
