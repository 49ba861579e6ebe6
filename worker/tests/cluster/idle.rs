//! What silence costs, in calls of the queue and of the semaphore.

use std::time::Duration;

use queue_core::{MemoryQueue, WorkerClass};
use tokio::time::{Instant, sleep};
use worker::ClusterCalls;

use crate::process::{House, Process, hours, ms};
use crate::store::Store;

/// An hour, without the poll that begins the next one.
const IDLE_HOUR: Duration = Duration::from_millis(3_600_000 - 1);

// G9
#[tokio::test(start_paused = true)]
async fn four_idle_processes_make_180_receives_an_hour_together() {
    let start = Instant::now() - ms(1);
    let house = House::of(4);
    sleep(IDLE_HOUR).await;
    let receives: Vec<_> = house.processes.iter().map(|process| process.receives_since(start)).collect();
    assert_eq!(receives.iter().sum::<usize>(), 180, "{receives:?}");
    assert_eq!(receives.iter().filter(|count| **count > 0).count(), 1, "one process polls: {receives:?}");
}

// G9, G10
#[tokio::test(start_paused = true)]
async fn an_idle_hour_takes_1800_looks_of_each_follower_and_360_renewals_of_the_holder() {
    let house = House::of(4);
    sleep(IDLE_HOUR).await;
    let holder = house.holder();
    for (number, process) in house.processes.iter().enumerate() {
        let counts = process.wire.counts();
        let (looks, renewals) = if number == holder { (1..=1, 359..=360) } else { (1_800..=1_801, 0..=0) };
        assert!(looks.contains(&counts.looks) && renewals.contains(&counts.renewals), "{number}: {counts:?}");
        assert!(counts.tries <= 1 && counts.publications + counts.releases == 0, "{number}: {counts:?}");
    }
}

// G10
#[tokio::test(start_paused = true)]
async fn what_a_process_counts_is_what_it_called() {
    let house = House::handling(2, ms(100));
    sleep(hours(1)).await;
    house.publish(500).await;
    sleep(hours(1)).await;
    for process in &house.processes {
        process.stop().await;
        let (calls, counts) = (process.cluster.calls(), process.wire.counts());
        let ClusterCalls { looks, tries, publications, releases, failures, fallbacks, .. } = calls;
        assert_eq!((looks, tries, publications), (counts.looks, counts.tries, counts.publications));
        assert_eq!((releases, failures, fallbacks), (counts.releases, 0, 0));
        assert!(releases == 0 || publications >= 2, "{calls:?}");
    }
}

// G1, G9, G10: one look for all classes
#[tokio::test(start_paused = true)]
async fn two_classes_make_360_receives_and_no_more_looks() {
    let (store, queue) = (Store::default(), MemoryQueue::new());
    let classes = [WorkerClass::MAIN, WorkerClass::RETRY];
    let start = || Process::with(&store, &queue, &classes, ms(0));
    let processes = [start(), start(), start(), start()];
    sleep(IDLE_HOUR).await;
    let receives: usize = processes.iter().map(|process| process.receives().len()).sum();
    let looks: u64 = processes.iter().map(|process| process.wire.counts().looks).sum();
    assert_eq!(receives, 360);
    assert!(looks <= 4 * 1_802, "{looks}");
}
