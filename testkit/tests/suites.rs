//! Suites as values: what they say of clauses that don't apply, and of backends that can't be tested.

use std::collections::BTreeSet;
use std::future::pending;

use queue_core::{MasterGate, MemoryQueue, OpenGate};
use testkit::{Check, Fixture, Promises, QueuePromise, Setup, Suite, gate, ordered_queue, queue};

fn standard() -> Promises<QueuePromise> {
    Promises::standard().paused_clock()
}

#[expect(clippy::expect_used, reason = "a test that asks for a clause of another name is wrong")]
fn check<'a>(suite: &'a Suite, name: &str) -> &'a Check {
    let found = suite.checks().iter().find(|check| check.name() == name);
    found.expect("there is a clause of that name")
}

#[test]
fn a_clause_that_is_not_promised_says_so_and_does_not_run() {
    let suite = queue(standard().without(QueuePromise::StaleDeletes), || async { MemoryQueue::new() });
    let check = check(&suite, "a_stale_receipt_cannot_delete");
    assert_eq!(check.unpromised(), Some("not promised: StaleDeletes"));
    assert_eq!(check.run(), Err("not promised: StaleDeletes".to_owned()));
}

#[test]
fn a_factory_that_takes_no_setup_is_spared_the_clauses_that_need_one() {
    let name = "a_receive_that_names_no_timeout_has_the_queues_own";
    let without = queue(standard(), || async { MemoryQueue::new() });
    assert_eq!(check(&without, name).unpromised(), Some("its factory takes no Setup"));
    let with = queue(standard(), |_setup: Setup| async { MemoryQueue::new() });
    assert_eq!(check(&with, name).unpromised(), None);
}

#[test]
fn an_ordered_queue_has_to_be_set_up_as_one() {
    let without = ordered_queue(Promises::ordered(), || async { MemoryQueue::new() });
    assert!(without.checks().iter().all(|check| check.unpromised() == Some("its factory takes no Setup")));
    let unheeding =
        ordered_queue(Promises::ordered().paused_clock(), |_setup: Setup| async { MemoryQueue::new() });
    assert!(check(&unheeding, "an_ordered_queue_says_that_it_is_one").run().is_err());
}

#[test]
fn what_a_suite_needs_is_said_of_each_clause() {
    let suite = gate(Promises::gated().needs("a server"), MasterGate::new);
    assert!(suite.checks().iter().all(|check| check.need() == Some("a server")));
}

#[test]
fn names_are_sentences_and_no_two_are_the_same() {
    let queue = queue(standard(), || async { MemoryQueue::new() });
    let ordered = ordered_queue(Promises::ordered(), || async { MemoryQueue::new() });
    let gate = gate(Promises::gated(), MasterGate::new);
    let checks = queue.checks().iter().chain(ordered.checks()).chain(gate.checks());
    let names: Vec<_> = checks.map(Check::name).collect();
    let distinct: BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len());
    for name in names {
        assert!(name.split('_').count() >= 3, "{name}");
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'), "{name}");
    }
}

#[test]
fn a_backend_can_have_a_name() {
    let suite = gate(Promises::ungated(), || OpenGate).named("open");
    assert!(suite.checks().iter().all(|check| check.name().starts_with("open::")));
}

#[test]
fn a_backend_that_never_answers_is_called_hanging() {
    let suite = queue(standard(), || async { pending::<MemoryQueue>().await });
    let why = check(&suite, "a_zero_wait_answers_at_once").run().expect_err("there is no queue");
    assert!(why.starts_with("it hangs"), "{why}");
}

#[test]
fn a_promise_that_the_fixture_does_not_serve_says_what_is_missing() {
    let promises = standard().with(QueuePromise::ExactDepth);
    let suite = queue(promises, |_setup: Setup| async { Fixture::new(MemoryQueue::new()) });
    let why = check(&suite, "an_empty_queue_has_no_depth").run().expect_err("there is no Inspect");
    assert!(why.contains("Fixture::with_inspect"), "{why}");
    let name = "a_message_moves_alone";
    let why = check(&suite, name).run().expect_err("there is no dead-letter queue");
    assert!(why.contains("Fixture::with_dead_letter"), "{why}");
}

#[cfg(feature = "semaphore")]
mod semaphores {
    use std::collections::BTreeSet;

    use semaphore::MemorySemaphore;
    use testkit::{Promises, semaphore};

    use super::check;

    #[test]
    fn names_are_sentences_and_no_two_are_the_same() {
        let suite = semaphore(Promises::leased().paused_clock(), || async { MemorySemaphore::new() });
        let names: BTreeSet<_> = suite.checks().iter().map(testkit::Check::name).collect();
        assert_eq!(names.len(), suite.checks().len());
        assert!(names.iter().all(|name| name.split('_').count() >= 3), "{names:?}");
    }

    #[test]
    fn a_promise_that_the_fixture_does_not_serve_says_what_is_missing() {
        let suite = semaphore(Promises::leased().paused_clock(), || async { MemorySemaphore::new() });
        let why = check(&suite, "all_slots_of_a_key_are_taken_by_force_and_no_others")
            .run()
            .expect_err("nothing watches it");
        assert!(why.contains("SemaphoreFixture::with_holders"), "{why}");
    }
}
