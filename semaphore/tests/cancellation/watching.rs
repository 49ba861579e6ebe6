//! Looking, force and collection: they happen or do not.

use std::time::Duration;

use semaphore::{Holders, MemorySemaphore, Semaphore, SemaphoreKey};
use testkit::{Run, matrix};

use crate::gated::{is_free, request};

// "Safe"
#[test]
fn looking_and_force_happen_or_do_not() {
    let runs = matrix(async |run: Run| {
        let (semaphore, key) = (MemorySemaphore::new(), SemaphoreKey::new("key").unwrap());
        let permit = semaphore.try_acquire(request()).await.unwrap().unwrap();
        let seen = run.cut(semaphore.holders(key.clone())).await;
        assert!(seen.is_none_or(|seen| seen.unwrap().len() == 1));
        let forced = match run.choose("force", &["one", "all"]) {
            0 => run.cut(semaphore.force_release(permit.token().clone())).await.map(Result::unwrap),
            _ => run.cut(semaphore.force_release_all(key)).await.map(|count| count.unwrap() == 1),
        };
        assert_ne!(forced, Some(false));
        assert_eq!(is_free(&semaphore).await, forced.is_some());
    });
    assert_eq!(runs, 8);
}

// S13: "all is forgotten or, dropped before, nothing"
#[test]
fn a_collection_happens_or_does_not() {
    let runs = matrix(async |run: Run| {
        let semaphore = MemorySemaphore::new();
        semaphore.try_acquire(request()).await.unwrap().unwrap().release().await.unwrap();
        let collected = run.cut(semaphore.collect(Duration::ZERO, 9)).await;
        assert_eq!(semaphore.slots(), usize::from(collected.is_none()));
    });
    assert_eq!(runs, 2);
}
