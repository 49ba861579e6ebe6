//! Queues that can do less, and promise no more: they pass.

use testkit::{Check, QueuePromise};

use super::content::Content;
use super::fault::Fault;
use super::inspecting::Inspecting;
use super::publishing::Publishing;
use super::receiving::Receiving;
use super::setting_up::SettingUp;
use super::settling::Settling;
use super::{promises, suite_that_promises};

/// What a queue can't do, and what it therefore does not promise.
const HONEST: &[(Fault, &[QueuePromise])] = &[
    (Fault::Settle(Settling::StaleDeletes), &[QueuePromise::StaleDeletes]),
    (Fault::Settle(Settling::StaleChanges), &[QueuePromise::StaleExtensions]),
    (Fault::Settle(Settling::ExpiredCanBeExtended), &[QueuePromise::ExpiredExtensions]),
    (Fault::Settle(Settling::RefusesLateDeletes), &[QueuePromise::LateDeletes]),
    (Fault::Receive(Receiving::SleepsThroughTheWait), &[QueuePromise::LongPolls, QueuePromise::Stop]),
    (Fault::Receive(Receiving::IgnoresStop), &[QueuePromise::Stop]),
    (Fault::Receive(Receiving::OneLess), &[QueuePromise::FullBatches]),
    (Fault::Receive(Receiving::GoesOnWhenDropped), &[QueuePromise::DroppedReceives]),
    (Fault::Content(Content::CountOfOne), &[QueuePromise::ReceiveCounts]),
    (Fault::Content(Content::BasicPlane), &[QueuePromise::FullUnicode]),
    (Fault::SetUp(SettingUp::NoDeadLetter), &[QueuePromise::DeadLetter]),
    (Fault::SetUp(SettingUp::NoRetention), &[QueuePromise::Retention]),
    (Fault::Publish(Publishing::NoDelay), &[QueuePromise::Delay]),
    (Fault::Inspect(Inspecting::AllVisible), &[QueuePromise::ExactDepth]),
    (Fault::Inspect(Inspecting::PurgesVisible), &[QueuePromise::Purge]),
];

#[test]
fn a_queue_that_promises_no_more_than_it_keeps_passes() {
    let failures = HONEST.iter().flat_map(|(fault, unkept)| {
        let promises = unkept.iter().fold(promises(), |promises, promise| promises.without(*promise));
        let suite = suite_that_promises(promises, *fault);
        let run = suite.checks().iter().filter(|check| check.unpromised().is_none());
        let failed = run.filter_map(|check| check.run().err().map(|why| (check.name().to_owned(), why)));
        failed.map(|failure| (*fault, failure)).collect::<Vec<_>>()
    });
    let failures: Vec<_> = failures.collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn each_promise_has_a_clause_that_rests_on_it() {
    let others = [
        QueuePromise::SingleDelivery,
        QueuePromise::MessageRules,
        QueuePromise::Bounds,
        QueuePromise::LongNames,
    ];
    for promise in HONEST.iter().flat_map(|(_, unkept)| *unkept).chain(&others) {
        let suite = suite_that_promises(promises().without(*promise), HONEST[0].0);
        let mut said = suite.checks().iter().filter_map(Check::unpromised);
        assert!(said.any(|why| why.contains(&format!("{promise:?}"))), "{promise:?}");
    }
}
