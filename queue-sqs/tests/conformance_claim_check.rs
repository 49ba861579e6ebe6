//! The conformance suites of a claim check over a queue in memory, with every body in the store and with none.

#![expect(clippy::expect_used, reason = "a factory panics when it can't make a queue")]

use std::sync::Arc;

use queue_core::{Limits, MemoryQueue, MemoryQueueBuilder};
use queue_sqs::ClaimCheck;
use queue_sqs::object_store::memory::InMemory;
use testkit::{Fixture, Promises, QueuePromise, Setup};

/// The largest message, so that the clauses about sizes are quick. It is more than the queue takes.
const LARGEST: usize = 2 * 1024 * 1024;

testkit::conformance! {
    every_body_stored: queue(all(Promises::standard()), async |setup| made(&setup, ClaimCheck::with_every_body_stored)),
    small_bodies_sent: queue(all(Promises::standard()), async |setup| made(&setup, |queue| queue)),
    ordered_every_body_stored: ordered_queue(ordered(), async |setup| made(&setup, ClaimCheck::with_every_body_stored)),
    ordered_small_bodies_sent: ordered_queue(ordered(), async |setup| made(&setup, |queue| queue)),
}

fn all(promises: Promises<QueuePromise>) -> Promises<QueuePromise> {
    promises.with(QueuePromise::ExactDepth).with(QueuePromise::Purge).paused_clock()
}

/// A claim check names a body by its digest, as Amazon SQS does.
fn ordered() -> Promises<QueuePromise> {
    all(Promises::ordered()).without(QueuePromise::SeparateIds)
}

type Checked = ClaimCheck<MemoryQueue>;

fn made(setup: &Setup, change: impl Fn(Checked) -> Checked) -> Fixture {
    let store = Arc::new(InMemory::new());
    let check = |queue| {
        let checked = ClaimCheck::new(queue, Arc::clone(&store) as _, "bodies").with_largest(LARGEST);
        let by_content = setup.content_deduplication;
        change(if by_content { checked.with_content_deduplication() } else { checked })
    };
    let of_kind = |builder: MemoryQueueBuilder| if setup.ordered { builder.ordered() } else { builder };
    let mut queue = of_kind(MemoryQueue::builder()).visibility(setup.visibility).retention(setup.retention);
    let dead = of_kind(MemoryQueue::builder()).build().expect("the defaults are within the limits");
    if setup.content_deduplication {
        queue = queue.content_deduplication();
    }
    if let Some(max) = setup.max_receive_count {
        queue = queue.dead_letter(dead.clone(), max);
    }
    let queue = queue.limits(Limits::default()).build().expect("the set-up is within the limits");
    Fixture::new(check(queue.clone())).with_inspect(check(queue)).with_dead_letter(check(dead))
}
