//! Dropping: permits and calls that are given up leave their slots free or expiring.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use tokio::task::yield_now;
use tokio::time::sleep;

use super::SemaphoreClause;
use super::case::Case;
use super::subject::Subject;
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<SemaphoreClause> {
    vec![
        Clause::of(a_dropped_permit_is_not_renewed_and_runs_out),
        Clause::of(a_try_that_is_dropped_takes_no_slot_for_longer_than_a_lease),
        Clause::of(a_release_that_is_dropped_leaves_the_slot_free_or_running_out),
    ]
}

/// How often a call is polled before it is dropped, at most.
const POLLS: usize = 6;

/// Polls a call so often, with time for something to happen in between, and drops it. Answers whether it had ended.
async fn give_up<F: Future>(call: F, polls: usize) -> bool {
    let mut call = pin!(call);
    for _ in 0..polls {
        if poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await.is_ready() {
            return true;
        }
        yield_now().await;
    }
    false
}

/// S10: after any time that it was held.
async fn a_dropped_permit_is_not_renewed_and_runs_out(case: Case) {
    let semaphore = case.semaphore().await;
    let permit = semaphore.tries(semaphore.brief(1)).await.expect("nobody holds it");
    sleep(semaphore.lease() / 2).await;
    drop(permit);
    all_are_free_after_a_lease(&semaphore, 1).await;
}

/// S10, P65.
async fn a_try_that_is_dropped_takes_no_slot_for_longer_than_a_lease(case: Case) {
    let semaphore = case.semaphore().await;
    drop(semaphore.tries(semaphore.brief(1)).await); // so that it is a try and not its preparations that are dropped
    for polls in 0..POLLS {
        give_up(semaphore.tries(semaphore.brief(6)), polls).await;
    }
    all_are_free_after_a_lease(&semaphore, 6).await;
}

/// S10, P65.
async fn a_release_that_is_dropped_leaves_the_slot_free_or_running_out(case: Case) {
    let semaphore = case.semaphore().await;
    for polls in 0..POLLS {
        let permit = semaphore.tries(semaphore.brief(6)).await.expect("no more than five are held");
        give_up(permit.release(), polls).await;
    }
    all_are_free_after_a_lease(&semaphore, 6).await;
}

async fn all_are_free_after_a_lease(semaphore: &Subject, permits: u32) {
    sleep(semaphore.lease() + semaphore.pace.slack).await;
    let _held = semaphore.takes_all(permits).await;
    semaphore.is_full(permits).await;
}
