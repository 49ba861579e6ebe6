//! Queues that break one promise each, and the clauses that see it.

mod book;
mod broken;
mod content;
mod fault;
mod honest;
mod inspecting;
mod publishing;
mod receiving;
mod setting_up;
mod settling;

use std::fmt::Debug;

use broken::Broken;
use fault::Fault;
use queue_core::MemoryQueue;
use testkit::{Promises, QueuePromise, Setup, Suite, queue};

use crate::expected::{self, Expected};

fn promises() -> Promises<QueuePromise> {
    Promises::standard().with(QueuePromise::ExactDepth).with(QueuePromise::Purge).paused_clock()
}

fn suite(fault: Fault) -> Suite {
    suite_that_promises(promises(), fault)
}

fn suite_that_promises(promises: Promises<QueuePromise>, fault: Fault) -> Suite {
    queue(promises, move |setup: Setup| async move { Broken::fixture(fault, &setup) })
}

fn sees<F: Copy + Debug>(faults: &'static [(F, Expected)], fault: impl Fn(F) -> Fault) {
    expected::sees(faults, |broken| suite(fault(broken)));
}

#[test]
fn the_suite_sees_queues_that_publish_wrongly() {
    sees(publishing::EXPECTED, Fault::Publish);
}

#[test]
fn the_suite_sees_queues_that_receive_wrongly() {
    sees(receiving::EXPECTED, Fault::Receive);
}

#[test]
fn the_suite_sees_queues_that_change_what_they_carry() {
    sees(content::EXPECTED, Fault::Content);
}

#[test]
fn the_suite_sees_queues_that_settle_wrongly() {
    sees(settling::EXPECTED, Fault::Settle);
}

#[test]
fn the_suite_sees_queues_that_count_or_purge_wrongly() {
    sees(inspecting::EXPECTED, Fault::Inspect);
}

#[test]
fn the_suite_sees_queues_that_are_set_up_wrongly() {
    sees(setting_up::EXPECTED, Fault::SetUp);
}

#[test]
fn every_clause_is_failed_by_a_broken_queue() {
    let named = expected::named(publishing::EXPECTED)
        .chain(expected::named(receiving::EXPECTED))
        .chain(expected::named(content::EXPECTED))
        .chain(expected::named(settling::EXPECTED))
        .chain(expected::named(inspecting::EXPECTED))
        .chain(expected::named(setting_up::EXPECTED));
    expected::all_are_named(&queue(promises(), || async { MemoryQueue::new() }), named);
}
