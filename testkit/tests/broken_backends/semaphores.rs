//! Semaphores that break one promise each, and the clauses that see it.

mod broken;
mod expected;
mod fault;
mod holders;
mod lessor;
mod table;

use testkit::{Promises, SemaphoreFixture, Suite, semaphore};

use crate::expected::{all_are_named, named, sees};
use broken::Broken;
use expected::EXPECTED;
use fault::Fault;

fn suite(fault: Fault) -> Suite {
    semaphore(Promises::leased().paused_clock(), move || async move {
        let broken = Broken::new(fault);
        let collected = broken.clone();
        SemaphoreFixture::new(broken.clone()).with_holders(broken).with_collector(move |idle, limit| {
            let broken = collected.clone();
            async move { Ok(broken.collect(idle, limit)) }
        })
    })
}

#[test]
fn the_suite_sees_semaphores_that_break_a_promise() {
    sees(EXPECTED, suite);
}

#[test]
fn every_clause_is_failed_by_a_broken_semaphore() {
    all_are_named(&suite(Fault::None), named(EXPECTED));
}
