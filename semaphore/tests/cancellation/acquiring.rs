//! Tries and waits that are dropped.

use std::time::Duration;

use semaphore::{MemorySemaphore, Permit, Semaphore, SemaphoreExt};
use testkit::{Run, matrix};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::gated::{LEASE, is_free, request, take};

async fn release_after(permit: Permit, time: Duration) {
    sleep(time).await;
    permit.release().await.unwrap();
}

// S10: "a dropped call has taken none"
#[test]
fn a_try_takes_a_slot_or_not() {
    let runs = matrix(async |run: Run| {
        let semaphore = MemorySemaphore::new();
        let permit = run.cut(semaphore.try_acquire(request())).await;
        assert_eq!(semaphore.counts().granted, u64::from(permit.is_some()));
        assert_eq!(is_free(&semaphore).await, permit.is_none());
        drop(permit);
        sleep(LEASE).await;
        assert!(is_free(&semaphore).await);
    });
    assert_eq!(runs, 2);
}

// S10: "may have taken a slot, which is free again when its lease ends"
#[test]
fn a_wait_that_is_dropped_leaves_no_slot_taken() {
    let runs = matrix(async |run: Run| {
        let (semaphore, mut tasks) = (MemorySemaphore::new(), JoinSet::new());
        match run.choose("the slot is", &["free", "released soon", "dropped", "held"]) {
            0 => {}
            1 => drop(tasks.spawn(release_after(take(&semaphore, &run, 0).await, Duration::from_millis(50)))),
            2 => drop(take(&semaphore, &run, 0).await),
            _ => drop(tasks.spawn(release_after(take(&semaphore, &run, 0).await, LEASE * 2))),
        }
        let waited = run.cut(semaphore.acquire(request(), Duration::from_millis(200))).await;
        let permit = waited.and_then(Result::unwrap);
        let had = permit.is_some();
        drop(permit);
        tasks.join_all().await;
        sleep(LEASE).await;
        assert!(is_free(&semaphore).await, "had: {had}");
    });
    assert!(runs > 20, "{runs}");
}
