//! The conformance suites, for each backend and each gate of this crate.

use queue_core::{MasterGate, MemoryQueue, OpenGate, QueueError};
use testkit::{Fixture, Promises, QueuePromise, Setup};

testkit::conformance! {
    memory: queue(promises().paused_clock(), |setup| async { fresh(setup).expect("it can be set up like that") }),
    memory_in_real_time: queue(
        promises().without(QueuePromise::Retention),   // it would take a minute
        |setup| async { fresh(setup).expect("it can be set up like that") },
    ),
    master: gate(Promises::gated(), MasterGate::new),
    open: gate(Promises::ungated(), || OpenGate),
}

fn promises() -> Promises<QueuePromise> {
    Promises::standard().with(QueuePromise::ExactDepth).with(QueuePromise::Purge)
}

fn fresh(setup: Setup) -> Result<Fixture, QueueError> {
    let queue = MemoryQueue::builder().visibility(setup.visibility).retention(setup.retention);
    let Some(max) = setup.max_receive_count else {
        let queue = queue.build()?;
        return Ok(Fixture::new(queue.clone()).with_inspect(queue));
    };
    let dead = MemoryQueue::new();
    let queue = queue.dead_letter(dead.clone(), max).build()?;
    Ok(Fixture::new(queue.clone()).with_inspect(queue).with_dead_letter(dead))
}
