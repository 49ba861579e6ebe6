//! The conformance suites, for each backend and each gate of this crate.

#![expect(clippy::expect_used, reason = "a factory panics when it can't make a queue")]

use queue_core::{MasterGate, MemoryQueue, MemoryQueueBuilder, OpenGate};
use testkit::{Fixture, Promises, QueuePromise, Setup};

testkit::conformance! {
    memory: queue(promises().paused_clock(), fresh),
    memory_in_real_time: queue(promises().without(QueuePromise::Retention), fresh),
    ordered: ordered_queue(Promises::ordered().paused_clock(), fresh),
    ordered_in_real_time: ordered_queue(Promises::ordered(), fresh),
    master: gate(Promises::gated(), MasterGate::new),
    open: gate(Promises::ungated(), || OpenGate),
}

/// What a queue in memory promises; in real time not retention, the shortest of which is a minute.
fn promises() -> Promises<QueuePromise> {
    Promises::standard().with(QueuePromise::ExactDepth).with(QueuePromise::Purge)
}

async fn fresh(setup: Setup) -> Fixture {
    let of_kind = |builder: MemoryQueueBuilder| if setup.ordered { builder.ordered() } else { builder };
    let mut queue = of_kind(MemoryQueue::builder()).visibility(setup.visibility).retention(setup.retention);
    let dead = of_kind(MemoryQueue::builder()).build().expect("the defaults are within the limits");
    if setup.content_deduplication {
        queue = queue.content_deduplication();
    }
    if let Some(max) = setup.max_receive_count {
        queue = queue.dead_letter(dead.clone(), max);
    }
    let queue = queue.build().expect("the set-up is within the limits");
    Fixture::new(queue.clone()).with_inspect(queue).with_dead_letter(dead)
}
