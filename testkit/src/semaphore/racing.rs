//! Racing: many clients at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::sync::Barrier;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::SemaphoreClause;
use super::case::Case;
use super::subject::Subject;
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<SemaphoreClause> {
    vec![
        Clause::of(thirty_two_tasks_never_hold_more_than_the_maximum),
        Clause::of(a_lone_slot_beside_nine_that_are_held_is_never_missed),
        Clause::of(as_many_clients_as_permits_never_miss),
        Clause::of(a_new_key_that_is_raced_for_has_as_many_holders_as_its_maximum),
    ]
}

/// How many hold something now, and the most that ever did.
#[derive(Default)]
struct Crowd {
    now: AtomicU32,
    most: AtomicU32,
}

impl Crowd {
    fn enter(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
    }

    fn leave(&self) {
        self.now.fetch_sub(1, Ordering::SeqCst);
    }

    fn most(&self) -> u32 {
        self.most.load(Ordering::SeqCst)
    }
}

/// S1, S15, TS1: nor does any of them get an error.
async fn thirty_two_tasks_never_hold_more_than_the_maximum(case: Case) {
    for permits in [1, 10] {
        let (semaphore, crowd) = (case.semaphore().await, Arc::new(Crowd::default()));
        let mut tasks = JoinSet::new();
        for _ in 0..32 {
            tasks.spawn(come_and_go(semaphore.clone(), permits, Arc::clone(&crowd)));
        }
        let hits: u32 = tasks.join_all().await.into_iter().sum();
        assert!(crowd.most() <= permits, "{} held it at once, of {permits}", crowd.most());
        assert!(hits >= permits, "only {hits} tries of 320 got a permit");
        drop(semaphore.takes_all(permits).await);
    }
}

/// Tries ten times, and holds what it gets for a moment. Answers how often it got a permit.
async fn come_and_go(semaphore: Subject, permits: u32, crowd: Arc<Crowd>) -> u32 {
    let mut hits = 0;
    for _ in 0..10 {
        if let Some(permit) = semaphore.tries(semaphore.request(permits)).await {
            crowd.enter();
            pause().await;
            crowd.leave();
            permit.release().await.expect("what is held can be released");
            hits += 1;
        }
        pause().await;
    }
    hits
}

async fn pause() {
    sleep(Duration::from_millis(fastrand::u64(0..5))).await;
}

/// S2, TS2.
async fn a_lone_slot_beside_nine_that_are_held_is_never_missed(case: Case) {
    let semaphore = case.semaphore().await;
    let mut held = semaphore.takes_all(10).await;
    held.remove(4).release().await.expect("what is held can be released");
    for _ in 0..100 {
        semaphore.takes(10).await.release().await.expect("what is held can be released");
    }
}

/// S2, TS2: eight clients that loop, ten slots.
async fn as_many_clients_as_permits_never_miss(case: Case) {
    let semaphore = case.semaphore().await;
    let mut tasks = JoinSet::new();
    for _ in 0..8 {
        let semaphore = semaphore.clone();
        tasks.spawn(async move {
            for _ in 0..25 {
                semaphore.takes(10).await.release().await.expect("what is held can be released");
            }
        });
    }
    tasks.join_all().await;
}

/// S1, S2, TS11, P60: exactly, and none of the tries fails.
async fn a_new_key_that_is_raced_for_has_as_many_holders_as_its_maximum(case: Case) {
    let semaphore = case.semaphore().await;
    for _ in 0..10 {
        let semaphore = semaphore.of_new_key();
        let (mut tasks, start) = (JoinSet::new(), Arc::new(Barrier::new(32)));
        for _ in 0..32 {
            let (semaphore, start) = (semaphore.clone(), Arc::clone(&start));
            tasks.spawn(async move {
                start.wait().await;
                semaphore.tries(semaphore.request(10)).await
            });
        }
        let held: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
        assert_eq!(held.len(), 10, "of 32 that tried at once");
    }
}
