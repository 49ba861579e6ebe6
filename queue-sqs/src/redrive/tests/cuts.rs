//! A redrive that is dropped: as if its process was killed.

use std::collections::BTreeSet;
use std::time::Duration;

use queue_core::{Inspect, MemoryQueue};
use testkit::Fault;
use tokio::time::{sleep, timeout};

use super::support::{bodies, drain, faulty, fill, order, queue, redrive};

const STEP: Duration = Duration::from_millis(500);

/// Each call takes effect after one step and is answered after another, so that there are two places in it to be cut.
async fn cut(dead: &MemoryQueue, target: &MemoryQueue, steps: u32) -> bool {
    let slow = |_, _| Fault::Late(STEP).after(STEP);
    let (dead, target) = (faulty(dead, slow), faulty(target, slow));
    timeout(STEP * steps + STEP / 2, redrive(&dead, &target, 1_000)).await.is_ok()
}

// Q3, Q8
#[tokio::test(start_paused = true)]
async fn a_redrive_that_is_dropped_anywhere_loses_nothing() {
    for ordered in [false, true] {
        let (mut steps, mut ended, mut twice) = (0, false, 0);
        while !ended {
            let (dead, target) = (queue(ordered), queue(ordered));
            fill(&dead, 2, 7, ordered).await;
            ended = cut(&dead, &target, steps).await;
            sleep(Duration::from_mins(2)).await; // what it had received comes back
            redrive(&dead, &target, 1_000).await.unwrap();
            assert_eq!(dead.depth().await.unwrap().total(), 0, "cut after {steps} steps");
            let moved = drain(&target).await;
            let different: BTreeSet<_> = bodies(&moved).into_iter().collect();
            assert_eq!(different.len(), 14, "cut after {steps} steps: {different:?}");
            for group in (0..2).filter(|_| ordered) {
                assert_eq!(order(&moved, group), (0..7).collect::<Vec<_>>(), "cut after {steps} steps");
            }
            (steps, twice) = (steps + 1, twice + usize::from(moved.len() > 14));
        }
        assert!(steps > 12, "it has many places to be cut: {steps}");
        assert_eq!(twice > 0, !ordered, "only a standard queue takes messages twice: {twice}");
    }
}
