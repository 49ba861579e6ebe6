//! Ordered queues that break one promise each, and the clauses that see it.

mod broken;
mod expected;
mod fault;
mod publishing;
mod receiving;
mod settling;

use testkit::{Check, Promises, QueuePromise, Setup, Suite, ordered_queue};

use crate::expected::{all_are_named, named, sees};
use broken::Broken;
use expected::EXPECTED;
use fault::{Fault, Publishing, Receiving, Settling};

fn suite(promises: Promises<QueuePromise>, fault: Fault) -> Suite {
    ordered_queue(promises.paused_clock(), move |setup: Setup| async move { Broken::fixture(fault, &setup) })
}

#[test]
fn the_suite_sees_queues_that_keep_no_order() {
    sees(EXPECTED, |fault| suite(Promises::ordered(), fault));
}

#[test]
fn every_clause_is_failed_by_a_broken_ordered_queue() {
    all_are_named(&suite(Promises::ordered(), Fault::None), named(EXPECTED));
}

/// What an ordered queue can't do, and what it therefore does not promise.
const HONEST: &[(Fault, &[QueuePromise])] = &[
    (Fault::None, &[]),
    (Fault::Settle(Settling::LateDeletes), &[QueuePromise::ExpiredDeletes]),
    (Fault::Settle(Settling::LateReleases), &[QueuePromise::ExpiredExtensions]),
    (Fault::Settle(Settling::StaleDeletes), &[QueuePromise::StaleDeletes]),
    (Fault::Settle(Settling::StaleReleases), &[QueuePromise::StaleExtensions]),
    (Fault::Receive(Receiving::OneOfAGroup), &[QueuePromise::GroupBatches, QueuePromise::AttemptIds]),
    // It gives back what it took too much of, which counts.
    (Fault::Receive(Receiving::Starves), &[QueuePromise::GroupTurns, QueuePromise::DeadLetter]),
    (Fault::Publish(Publishing::StoresDuplicates), &[QueuePromise::Deduplication]),
    (Fault::Publish(Publishing::ByAttributes), &[QueuePromise::ContentDeduplication]),
    (Fault::Publish(Publishing::BodyIsId), &[QueuePromise::SeparateIds]),
    (Fault::Receive(Receiving::IgnoresAttempts), &[QueuePromise::AttemptIds]),
    (Fault::Receive(Receiving::SleepsThroughTheWait), &[QueuePromise::LongPolls]),
    (Fault::NoDeadLetter, &[QueuePromise::DeadLetter]),
];

#[test]
fn an_ordered_queue_that_promises_no_more_than_it_keeps_passes() {
    let failures = HONEST.iter().flat_map(|(fault, unkept)| {
        let promises = unkept.iter().fold(Promises::ordered(), |promises, unkept| promises.without(*unkept));
        let suite = suite(promises, *fault);
        let run = suite.checks().iter().filter(|check| check.unpromised().is_none());
        let failed = run.filter_map(|check| check.run().err().map(|why| (check.name().to_owned(), why)));
        failed.map(|failure| (*fault, failure)).collect::<Vec<_>>()
    });
    let failures: Vec<_> = failures.collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn each_promise_about_order_has_a_clause_that_rests_on_it() {
    for promise in HONEST.iter().flat_map(|(_, unkept)| *unkept) {
        let suite = suite(Promises::ordered().without(*promise), Fault::None);
        let mut said = suite.checks().iter().filter_map(Check::unpromised);
        assert!(said.any(|why| why.contains(&format!("{promise:?}"))), "{promise:?}");
    }
}
