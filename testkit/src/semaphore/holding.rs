//! Holding: a permit renews itself for as long as it is held, and not longer.

use tokio::time::{Instant, sleep, timeout};

use super::SemaphoreClause;
use super::case::Case;
use super::subject::has_lost;
use crate::clause::Clause;
use crate::pace::Window;

pub(super) fn clauses() -> Vec<SemaphoreClause> {
    vec![
        Clause::of(a_permit_is_kept_for_as_long_as_it_is_held),
        Clause::of(a_permit_that_is_past_its_maximum_hold_time_is_lost_and_runs_out),
        Clause::of(changing_the_context_renews),
    ]
}

/// S9: three leases long, and released after that.
async fn a_permit_is_kept_for_as_long_as_it_is_held(case: Case) {
    let semaphore = case.semaphore().await;
    let permit = semaphore.tries(semaphore.brief(1)).await.expect("nobody holds it");
    for _ in 0..12 {
        sleep(semaphore.lease() / 4).await;
        semaphore.is_full(1).await;
    }
    assert!(!permit.lost().is_cancelled(), "it was renewed");
    permit.release().await.expect("what is held can be released");
    drop(semaphore.takes(1).await);
}

/// S9: its holder hears of it then, and the slot is free within a lease, though the holder does nothing.
async fn a_permit_that_is_past_its_maximum_hold_time_is_lost_and_runs_out(case: Case) {
    let semaphore = case.semaphore().await;
    let most = semaphore.lease() * 3 / 2;
    let start = Instant::now();
    let permit = semaphore.tries(semaphore.brief(1).with_max_hold(most)).await.expect("nobody holds it");
    let lost = timeout(most + case.pace.slack, permit.lost().cancelled()).await;
    assert!(lost.is_ok(), "its time is over");
    assert!(start.elapsed() + case.pace.early() >= most, "too early, after {:?}", start.elapsed());
    let window = Window { opens: start + most, closes: start + most + semaphore.lease() };
    drop(semaphore.takes_in(window, 1).await);
    has_lost(permit.release().await);
}

/// S9: the lease begins anew.
async fn changing_the_context_renews(case: Case) {
    let semaphore = case.semaphore().await;
    let mut permit = semaphore.tries(semaphore.brief(1)).await.expect("nobody holds it");
    sleep(semaphore.lease() / 5).await;
    let asked = Instant::now();
    permit.set_context("half way").await.expect("what is held can be given a context");
    let window = Window::after(asked, semaphore.lease());
    drop(permit);
    drop(semaphore.takes_in(window, 1).await);
}
