//! Maxima: what is seen when they change.

use super::SemaphoreClause;
use super::case::Case;
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<SemaphoreClause> {
    vec![
        Clause::of(raising_the_maximum_frees_new_slots_at_once),
        Clause::of(lowering_the_maximum_revokes_nothing),
        Clause::of(the_greatest_maximum_is_taken),
    ]
}

/// S2, S11, TS13.
async fn raising_the_maximum_frees_new_slots_at_once(case: Case) {
    let semaphore = case.semaphore().await;
    let mut held = semaphore.takes_all(2).await;
    semaphore.is_full(2).await;
    for _ in 2..5 {
        held.push(semaphore.takes(5).await);
    }
    semaphore.is_full(5).await;
    semaphore.is_full(2).await;
}

/// S11, TS13: each sees only the slots below its own maximum, and those above run out.
async fn lowering_the_maximum_revokes_nothing(case: Case) {
    let semaphore = case.semaphore().await;
    let mut held = semaphore.takes_all(5).await;
    semaphore.is_full(2).await;
    let above = held.split_off(2);
    for permit in held {
        permit.release().await.expect("what is held can be released");
    }
    let lower = semaphore.takes_all(2).await;
    semaphore.is_full(2).await;
    for permit in above.into_iter().chain(lower) {
        permit.release().await.expect("what is held can be released");
    }
    let _held = semaphore.takes_all(2).await;
    semaphore.is_full(2).await;
}

/// S12: 65,535 permits, of which two are taken.
async fn the_greatest_maximum_is_taken(case: Case) {
    let semaphore = case.semaphore().await;
    let _held = (semaphore.takes(65_535).await, semaphore.takes(65_535).await);
}
