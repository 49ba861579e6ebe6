//! Expiry: a lease ends at its time, neither before nor after, and can't be revived.

use tokio::time::sleep;

use super::SemaphoreClause;
use super::case::Case;
use super::subject::has_lost;
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<SemaphoreClause> {
    vec![
        Clause::of(a_dead_holders_slot_is_free_when_its_lease_ends_and_not_before),
        Clause::of(a_renewed_lease_ends_when_the_renewal_says),
        Clause::of(a_lease_that_has_run_out_is_not_renewed_though_nobody_took_the_slot),
        Clause::of(releasing_a_lease_that_has_run_out_is_lost_and_leaves_the_slot_free),
        Clause::of(all_slots_of_the_dead_are_free_again),
    ]
}

/// S4, TS4.
async fn a_dead_holders_slot_is_free_when_its_lease_ends_and_not_before(case: Case) {
    let semaphore = case.semaphore().await;
    let dead = semaphore.takes_unrenewed(1).await;
    let permit = semaphore.takes_in(dead.ends, 1).await;
    assert_ne!(permit.token().id(), dead.token.id());
    semaphore.is_full(1).await;
}

/// S4, S7: it counts from the renewal, and may end before the lease that it renewed.
async fn a_renewed_lease_ends_when_the_renewal_says(case: Case) {
    let semaphore = case.semaphore().await;
    for parts in [1, 4] {
        let semaphore = semaphore.of_new_key();
        let mut dead = semaphore.takes_unrenewed(1).await;
        sleep(semaphore.lease() / 4).await;
        dead.renew(semaphore.lease() / 2 * parts).await.expect("its lease has not ended");
        drop(semaphore.takes_in(dead.ends, 1).await);
    }
}

/// S6, TS6: and it stays free.
async fn a_lease_that_has_run_out_is_not_renewed_though_nobody_took_the_slot(case: Case) {
    let semaphore = case.semaphore().await;
    let mut dead = semaphore.takes_unrenewed(1).await;
    semaphore.pass(dead.ends).await;
    has_lost(dead.renew(semaphore.lease() * 10).await);
    drop(semaphore.takes(1).await);
}

/// S5, TS6.
async fn releasing_a_lease_that_has_run_out_is_lost_and_leaves_the_slot_free(case: Case) {
    let semaphore = case.semaphore().await;
    let dead = semaphore.takes_unrenewed(1).await;
    semaphore.pass(dead.ends).await;
    has_lost(dead.release().await);
    has_lost(dead.release().await);
    drop(semaphore.takes(1).await);
}

/// S4: not only the first, P54.
async fn all_slots_of_the_dead_are_free_again(case: Case) {
    let semaphore = case.semaphore().await;
    let mut last = semaphore.takes_unrenewed(5).await;
    for _ in 1..5 {
        last = semaphore.takes_unrenewed(5).await;
    }
    semaphore.is_full(5).await;
    semaphore.pass(last.ends).await;
    let _held = semaphore.takes_all(5).await;
    semaphore.is_full(5).await;
}
