//! Bursts: everyone hears of one, and is quiet again after it.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::process::{House, Process, ms, secs};
use crate::wire::State;

/// One interval, and what the call and the wake-up take.
const HEARD: Duration = Duration::from_millis(2_010);

// G3, G9
#[tokio::test(start_paused = true)]
async fn a_burst_brings_every_process_within_the_interval_and_leaves_one_polling() {
    let house = House::handling(4, ms(500));
    sleep(secs(100)).await;
    for _burst in 0..3 {
        let before: Vec<_> = house.processes.iter().map(Process::count).collect();
        let since = Instant::now();
        house.publish(1_000).await;
        sleep(HEARD).await;
        for process in &house.processes {
            assert!(process.receives_since(since) > 0, "it has heard of the burst");
        }
        sleep(secs(100)).await;
        let after: Vec<_> = house.processes.iter().map(Process::count).collect();
        assert!(before.iter().zip(&after).all(|(before, after)| before < after), "{before:?} {after:?}");
        house.is_quiet().await;
    }
    assert_eq!(house.processes.iter().map(Process::count).sum::<usize>(), 3_000);
}

// G4, G9: a message or two are the holder's
#[tokio::test(start_paused = true)]
async fn a_trickle_brings_nobody_else() {
    let house = House::handling(4, ms(500));
    sleep(secs(10)).await;
    for _ in 0..50 {
        house.publish(1).await;
        sleep(secs(7)).await;
    }
    let polled = house.processes.iter().filter(|process| !process.receives().is_empty()).count();
    assert_eq!((polled, house.context().starts_with("closed 0 ")), (1, true));
}

// G9: what is published is what is, not each time that it changes
#[tokio::test(start_paused = true)]
async fn a_flapping_gate_publishes_twice_an_interval_at_most() {
    let house = House::of(2);
    sleep(secs(10)).await;
    let holder = &house.processes[house.holder()];
    let before = holder.receives().len();
    for _ in 0..1_000 {
        house.publish(10).await;
        sleep(ms(100)).await;
    }
    let publications = holder.wire.counts().publications;
    assert!(holder.receives().len() - before >= 500, "it polled often");
    assert!((10..=101).contains(&publications), "{publications}");
}

// G9: a poll never waits for the semaphore
#[tokio::test(start_paused = true)]
async fn a_semaphore_that_is_slow_or_hangs_slows_no_poll() {
    for state in [State::Slow(ms(1_500)), State::Hung] {
        let house = House::of(1);
        sleep(secs(1)).await;
        let since = Instant::now();
        house.processes[0].wire.is_now(state);
        house.publish(10_000).await;
        sleep(ms(10)).await;
        assert_eq!(house.processes[0].count(), 10_000, "in {:?}", since.elapsed());
    }
}

// G9: a publication that failed is made up for
#[tokio::test(start_paused = true)]
async fn an_opening_that_could_not_be_published_is_published_at_a_later_tick() {
    let house = House::handling(2, secs(5));
    sleep(secs(10)).await;
    let (holder, follower) = (house.holder(), 1 - house.holder());
    house.processes[holder].wire.is_now(State::Broken);
    house.publish(10_000).await;
    sleep(secs(5)).await;
    assert_eq!(house.processes[follower].count(), 0);
    house.processes[holder].wire.is_now(State::Up);
    sleep(secs(4) + ms(10)).await;
    assert!(house.processes[follower].count() > 0);
}

// G9: no hot loop
#[tokio::test(start_paused = true)]
async fn a_publication_that_fails_is_tried_once_a_tick() {
    let house = House::of(1);
    sleep(secs(10)).await;
    let wire = &house.processes[0].wire;
    wire.is_now(State::Broken);
    for _ in 0..200 {
        house.publish(10).await;
        sleep(ms(100)).await;
    }
    let publications = wire.counts().publications;
    assert!((5..=22).contains(&publications), "{publications} in 20 s");
}
