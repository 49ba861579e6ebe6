//! What the conformance suite does not see of the semaphore in memory.

use std::time::Duration;

use tokio::time::{Instant, advance, sleep};

use super::{MemoryCounts, MemorySemaphore};
use crate::{Holders, Permit, PermitRequest, Semaphore, SemaphoreErrorKind, SemaphoreKey, lease, max};

mod model;

/// A lease less a nanosecond.
const NEARLY: Duration = Duration::from_nanos(59_999_999_999);

fn request(key: &str) -> PermitRequest {
    PermitRequest::new(key, max(2), lease(Duration::from_mins(1)))
}

async fn take(semaphore: &MemorySemaphore, key: &str) -> Permit {
    semaphore.try_acquire(request(key)).await.unwrap().unwrap()
}

#[tokio::test(start_paused = true)]
async fn it_counts_what_happens() {
    let semaphore = MemorySemaphore::new();
    let (first, second) = (take(&semaphore, "a").await, take(&semaphore, "a").await);
    assert!(semaphore.try_acquire(request("a")).await.unwrap().is_none());
    sleep(Duration::from_secs(21)).await;
    first.release().await.unwrap();
    assert!(semaphore.force_release(second.token().clone()).await.unwrap());
    second.release().await.unwrap_err();
    drop(take(&semaphore, "a").await);
    let expected =
        MemoryCounts { granted: 3, missed: 1, renewed: 2, released: 1, lost: 1, forced: 1, abandoned: 1 };
    assert_eq!(semaphore.counts(), expected);
}

// S1: in every clone
#[tokio::test(start_paused = true)]
async fn clones_are_the_same_semaphore() {
    let semaphore = MemorySemaphore::new();
    let clone = semaphore.clone().with_shortest_lease(Duration::from_millis(1));
    let _held = (take(&semaphore, "a").await, take(&clone, "a").await);
    assert!(semaphore.try_acquire(request("a")).await.unwrap().is_none());
}

// S4: to the nanosecond
#[tokio::test(start_paused = true)]
async fn a_lease_ends_at_its_moment() {
    let semaphore = MemorySemaphore::new();
    let start = Instant::now();
    drop((take(&semaphore, "a").await, take(&semaphore, "a").await));
    advance(NEARLY).await;
    assert!(semaphore.try_acquire(request("a")).await.unwrap().is_none(), "{:?}", start.elapsed());
    advance(Duration::from_nanos(1)).await;
    drop(take(&semaphore, "a").await);
}

// S12
#[tokio::test(start_paused = true)]
async fn leases_are_a_second_or_longer_unless_it_is_told_otherwise() {
    let semaphore = MemorySemaphore::new();
    let brief = PermitRequest::new("a", max(1), lease(Duration::from_millis(999)));
    let refused = semaphore.try_acquire(brief.clone()).await.unwrap_err();
    assert_eq!(refused.kind(), SemaphoreErrorKind::Permanent);
    assert_eq!(semaphore.slots(), 0);
    let semaphore = semaphore.with_shortest_lease(Duration::from_millis(999));
    assert!(semaphore.try_acquire(brief).await.unwrap().is_some());
}

// S13, P63: in steps, and what is idle for a while is enough
#[tokio::test(start_paused = true)]
async fn a_hundred_thousand_keys_that_were_used_once_leave_nothing() {
    let semaphore = MemorySemaphore::new();
    for key in 0..100_000 {
        take(&semaphore, &format!("key-{key}")).await.release().await.unwrap();
    }
    let held = take(&semaphore, "held").await;
    assert_eq!(semaphore.slots(), 100_001);
    let hour = Duration::from_hours(1);
    assert_eq!(semaphore.collect(hour, usize::MAX).await.unwrap(), 0);
    sleep(hour).await;
    assert_eq!(semaphore.collect(hour, 60_000).await.unwrap(), 60_000);
    assert_eq!(semaphore.collect(hour, 60_000).await.unwrap(), 40_000);
    assert_eq!((semaphore.collect(hour, 60_000).await.unwrap(), semaphore.slots()), (0, 1));
    held.release().await.unwrap();
}

// S13: since it was released, or since its lease ended
#[tokio::test(start_paused = true)]
async fn idle_time_counts_from_when_the_slot_became_free() {
    let semaphore = MemorySemaphore::new();
    let minute = Duration::from_mins(1);
    let released = take(&semaphore, "released").await;
    drop(take(&semaphore, "dropped").await);
    sleep(minute / 2).await;
    released.release().await.unwrap();
    sleep(Duration::from_secs(59)).await; // one is free for 59 s, the other for 29 s
    assert_eq!(semaphore.collect(minute, 9).await.unwrap(), 0);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(semaphore.collect(minute, 9).await.unwrap(), 1);
    sleep(minute / 2).await;
    assert_eq!(semaphore.collect(minute, 9).await.unwrap(), 1);
    assert_eq!(semaphore.collect(Duration::MAX, 9).await.unwrap(), 0);
}

#[tokio::test(start_paused = true)]
async fn it_is_printed_without_its_slots() {
    let semaphore = MemorySemaphore::default();
    drop(take(&semaphore, "secret").await);
    assert_eq!(format!("{semaphore:?}"), "MemorySemaphore { slots: 1, .. }");
    assert_eq!(semaphore.holders(SemaphoreKey::new("secret").unwrap()).await.unwrap().len(), 1);
}
