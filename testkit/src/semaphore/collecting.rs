//! Collecting: keys that were used once leave nothing behind, and nothing that is held is touched.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use semaphore::FencingToken;
use tokio::task::{JoinSet, yield_now};
use tokio::time::sleep;

use super::SemaphoreClause;
use super::SemaphorePromise::Collects;
use super::case::Case;
use super::subject::Subject;
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<SemaphoreClause> {
    vec![
        Clause::of(what_nobody_holds_is_collected_in_steps).when(Collects),
        Clause::of(a_slot_that_is_made_again_starts_above_what_was_collected).when(Collects),
        Clause::of(what_is_held_or_was_used_lately_is_not_collected).when(Collects),
        Clause::of(a_dead_holders_slot_is_collected).when(Collects),
        Clause::of(collecting_races_with_no_try).when(Collects),
    ]
}

/// Enough for all that a clause may find, of others too.
const ALL: usize = 1_000_000;

/// Takes and releases the only permit of as many new keys.
async fn use_keys(semaphore: &Subject, keys: usize) {
    for _ in 0..keys {
        let semaphore = semaphore.of_new_key();
        semaphore.takes(1).await.release().await.expect("what is held can be released");
    }
}

/// S13, P63: never more at a time than it was told, and all in the end.
async fn what_nobody_holds_is_collected_in_steps(case: Case) {
    let semaphore = case.semaphore().await;
    use_keys(&semaphore, 20).await;
    let mut steps = 0;
    loop {
        let collected = semaphore.collect(Duration::ZERO, 7).await;
        assert!(collected <= 7, "{collected} at once");
        if collected == 0 {
            break;
        }
        steps += 1;
    }
    assert!(steps >= 3, "20 slots in {steps} steps of 7");
}

async fn fence_of_one_use(semaphore: &Subject) -> FencingToken {
    let permit = semaphore.takes(1).await;
    let fence = permit.fencing_token();
    permit.release().await.expect("what is held can be released");
    fence
}

/// S3, S13: of its own key and of all others.
async fn a_slot_that_is_made_again_starts_above_what_was_collected(case: Case) {
    let semaphore = case.semaphore().await;
    let other = semaphore.of_new_key();
    let mut highest = fence_of_one_use(&other).await;
    for _ in 0..5 {
        highest = highest.max(fence_of_one_use(&semaphore).await);
    }
    for _ in 0..3 {
        semaphore.collect(Duration::ZERO, ALL).await;
        for subject in [&semaphore, &other] {
            let fence = fence_of_one_use(subject).await;
            assert!(highest < fence, "{fence}, after {highest} was collected");
        }
        highest = highest.max(fence_of_one_use(&semaphore).await).max(fence_of_one_use(&other).await);
    }
}

/// S13: the holder renews and releases as if nothing had happened.
async fn what_is_held_or_was_used_lately_is_not_collected(case: Case) {
    let semaphore = case.semaphore().await;
    let (lately, often) = (semaphore.of_new_key(), semaphore.of_new_key());
    let fence = fence_of_one_use(&lately).await;
    for _ in 0..3 {
        fence_of_one_use(&often).await;
    }
    let mut permit = semaphore.takes(1).await;
    semaphore.collect(Duration::from_mins(1), ALL).await;
    assert_eq!(
        fence_of_one_use(&lately).await.get(),
        fence.get() + 1,
        "it was not made again, above `often`"
    );
    semaphore.collect(Duration::ZERO, ALL).await;
    semaphore.is_full(1).await;
    permit.set_context("still here").await.expect("what is held can be renewed");
    permit.release().await.expect("what is held can be released");
}

/// S4, S13: when its lease has ended, and its token is *lost* then.
async fn a_dead_holders_slot_is_collected(case: Case) {
    let semaphore = case.semaphore().await;
    let dead = semaphore.takes_unrenewed(1).await;
    semaphore.collect(Duration::ZERO, ALL).await;
    semaphore.is_full(1).await;
    semaphore.pass(dead.ends).await;
    assert!(semaphore.collect(Duration::ZERO, ALL).await > 0, "nobody holds it");
    dead.is_lost().await;
    let permit = semaphore.takes(1).await;
    assert!(dead.fence < permit.fencing_token());
    dead.is_lost().await;
    semaphore.is_full(1).await;
}

/// S1, S3, S13, TS11: no try fails, misses or goes over the maximum, and the fence rises all the time.
async fn collecting_races_with_no_try(case: Case) {
    let semaphore = case.semaphore().await;
    let (done, mut collector, mut users) = (Arc::new(AtomicBool::new(false)), JoinSet::new(), JoinSet::new());
    let (subject, told) = (semaphore.clone(), Arc::clone(&done));
    collector.spawn(async move {
        while !told.load(Ordering::Relaxed) {
            subject.collect(Duration::ZERO, 100).await;
            moment().await;
        }
    });
    for _ in 0..4 {
        let semaphore = semaphore.of_new_key();
        users.spawn(async move { uses_rise(&semaphore, 25).await });
    }
    users.join_all().await;
    done.store(true, Ordering::Relaxed);
    collector.join_all().await;
}

async fn uses_rise(semaphore: &Subject, uses: usize) {
    let mut last = None;
    for _ in 0..uses {
        let permit = semaphore.takes(1).await;
        assert!(last < Some(permit.fencing_token()), "{last:?}, then {}", permit.fencing_token());
        semaphore.is_full(1).await;
        last = Some(permit.fencing_token());
        permit.release().await.expect("what is held can be released");
        moment().await;
    }
}

/// Lets the others go on; of several times, at least once for so long that a paused clock moves.
async fn moment() {
    if fastrand::bool() {
        yield_now().await;
    } else {
        sleep(Duration::from_millis(1)).await;
    }
}
