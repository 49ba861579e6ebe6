//! Calls of a permit that are dropped, and permits that are.

use std::time::Duration;

use semaphore::{Holders, MemorySemaphore, SemaphoreErrorKind, SemaphoreKey};
use testkit::{Run, matrix};
use tokio::time::sleep;

use crate::gated::{LEASE, drops, is_free, take};

async fn context(semaphore: &MemorySemaphore) -> Option<String> {
    let holders = semaphore.holders(SemaphoreKey::new("key").unwrap()).await.unwrap();
    holders.first()?.context.as_deref().map(str::to_owned)
}

// S10: "free or expiring, and counts as a drop"
#[test]
fn a_release_frees_the_slot_or_lets_it_expire() {
    let runs = matrix(async |run: Run| {
        let semaphore = MemorySemaphore::new();
        let permit = take(&semaphore, &run, 2).await;
        let answer = run.cut(permit.release()).await;
        let released = matches!(answer, Some(Ok(())));
        assert_eq!(drops(&semaphore), u64::from(!released));
        assert!(!released || is_free(&semaphore).await, "what was answered is so");
        sleep(LEASE).await;
        assert!(is_free(&semaphore).await);
    });
    assert!(runs > 60, "{runs}");
}

// S8, S9, S10: "may or may not have taken effect; nothing of it is trusted"
#[test]
fn a_change_of_context_happens_or_not_and_the_permit_lives_on() {
    let runs = matrix(async |run: Run| {
        let semaphore = MemorySemaphore::new();
        let mut permit = take(&semaphore, &run, 2).await;
        sleep(Duration::from_secs(19)).await; // the renewal comes soon after
        let answer = run.cut(permit.set_context("new")).await;
        let seen = context(&semaphore).await;
        match answer {
            Some(Ok(())) => assert_eq!(seen.as_deref(), Some("new")),
            Some(Err(error)) => assert_ne!(error.kind(), SemaphoreErrorKind::Lost),
            None => assert!(seen.is_none() || seen.as_deref() == Some("new")),
        }
        sleep(LEASE).await;
        assert!(!permit.lost().is_cancelled() && !is_free(&semaphore).await, "it is renewed all the same");
        permit.release().await.unwrap();
        assert!(is_free(&semaphore).await);
    });
    assert!(runs > 60, "{runs}");
}

// S8, S9, S10: dropped or released at any moment of a renewal
#[test]
fn a_renewal_ends_with_its_permit_and_leaves_the_slot_free_or_expiring() {
    let times = &["before it", "during it", "during the next try", "later"];
    let runs = matrix(async |run: Run| {
        let semaphore = MemorySemaphore::new();
        let permit = take(&semaphore, &run, 2).await;
        let end = [19_000, 20_500, 32_500, 50_000][run.choose("the permit ends", times)];
        sleep(Duration::from_millis(end)).await;
        let lost = permit.lost().clone();
        assert!(!lost.is_cancelled());
        match run.choose("by", &["release", "drop"]) {
            0 => drop(run.cut(permit.release()).await),
            _ => drop(permit),
        }
        let renewed = semaphore.counts().renewed;
        sleep(LEASE).await;
        assert!(is_free(&semaphore).await);
        assert_eq!(semaphore.counts().renewed, renewed, "nothing renews it any longer");
        assert!(!lost.is_cancelled(), "the end is no loss");
    });
    assert!(runs > 100, "{runs}");
}

// S10: "drops the work where it is and then the permit"
#[test]
fn work_that_is_dropped_lets_the_slot_expire() {
    let runs = matrix(async |run: Run| {
        let semaphore = MemorySemaphore::new();
        let permit = take(&semaphore, &run, 1).await;
        let time = [0, 5, 25][run.choose("the work takes", &["no time", "5 s", "25 s"])];
        let done = run.cut(permit.run(sleep(Duration::from_secs(time)))).await;
        assert!(done.is_some() || drops(&semaphore) == 1, "what was dropped is counted");
        sleep(LEASE).await;
        assert!(is_free(&semaphore).await);
    });
    assert!(runs > 40, "{runs}");
}
