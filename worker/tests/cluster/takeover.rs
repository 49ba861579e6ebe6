//! The permit changes hands: a class never stops.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use worker::Standing;

use crate::process::{House, Process, ms, secs};

/// When the process polled first after `since`.
fn first_poll(process: &Process, since: Instant) -> Option<Duration> {
    process.receives().iter().find(|at| **at > since).map(|at| *at - since)
}

/// How long after `since` anybody but `gone` polled.
fn others_polled_after(house: &House, gone: usize, since: Instant) -> Duration {
    let others = house.processes.iter().enumerate().filter(|(number, _)| *number != gone);
    others.filter_map(|(_, process)| first_poll(process, since)).min().unwrap()
}

// G8, G9, P56
#[tokio::test(start_paused = true)]
async fn a_killed_holder_is_replaced_within_the_lease_and_an_interval() {
    let house = House::of(4);
    sleep(secs(95)).await;
    let (killed, since) = (house.holder(), Instant::now());
    house.processes[killed].kill();
    sleep(secs(60)).await;
    let after = others_polled_after(&house, killed, since);
    assert!(after > secs(15) && after <= secs(32), "{after:?}");
    house.is_quiet().await;
}

// G8, G9
#[tokio::test(start_paused = true)]
async fn a_holder_that_stops_hands_over_within_an_interval() {
    let house = House::of(4);
    sleep(secs(95)).await;
    let stopped = house.holder();
    house.processes[stopped].stop().await;
    let since = Instant::now();
    sleep(secs(60)).await;
    let after = others_polled_after(&house, stopped, since);
    assert!(after <= secs(2), "{after:?}");
    house.is_quiet().await;
}

// G8, G9: without a stop, when its receiver and its gate are dropped
#[tokio::test(start_paused = true)]
async fn a_holder_whose_gate_is_dropped_hands_over_within_an_interval() {
    let mut house = House::of(2);
    sleep(secs(95)).await;
    let gone = house.processes.remove(house.holder());
    let since = Instant::now();
    let wire = gone.wire.clone();
    drop(gone);
    sleep(secs(60)).await;
    let after = first_poll(&house.processes[0], since).unwrap();
    assert!(after <= secs(2), "{after:?}");
    assert_eq!(wire.counts().releases, 1);
}

// G8, G9: the process lives on, its receiver does not
#[tokio::test(start_paused = true)]
async fn a_holder_without_workers_lets_the_permit_go() {
    let house = House::of(2);
    sleep(secs(95)).await;
    let (idle, since) = (house.holder(), Instant::now());
    house.processes[idle].leave();
    sleep(secs(60)).await;
    let after = others_polled_after(&house, idle, since);
    assert!(after <= secs(34), "{after:?}");
    assert_ne!(house.holder(), idle);
}

// G8, G9: all its slots are taken by handlers that take for ever, and its master waits for room
#[tokio::test(start_paused = true)]
async fn a_holder_that_is_busy_lets_another_process_poll() {
    let house = House::handling(2, secs(100_000));
    sleep(secs(10)).await;
    let busy = house.holder();
    for _ in 0..18 {
        house.publish(1).await; // too few at once to open the gate
        sleep(secs(1)).await;
    }
    let since = Instant::now();
    sleep(secs(40)).await;
    assert_ne!(house.holder(), busy);
    assert!(first_poll(&house.processes[1 - busy], since - secs(40)).is_some());
    house.publish(1).await;
    let before = house.processes[1 - busy].count();
    sleep(ms(10)).await;
    assert_eq!(house.processes[1 - busy].count(), before + 1);
}

// G5, G8, G9
#[tokio::test(start_paused = true)]
async fn a_poll_that_runs_when_the_permit_is_lost_brings_its_messages() {
    let house = House::handling(2, ms(10));
    sleep(secs(50)).await;
    let old = house.holder();
    house.store.force_release();
    sleep(ms(100)).await;
    house.publish(1).await;
    sleep(ms(100)).await;
    assert_eq!(house.processes[old].count(), 1);
    sleep(secs(60)).await;
    house.holder();
    house.is_quiet().await;
}

// G9: nobody polls as holder by a permit that it has lost
#[tokio::test(start_paused = true)]
async fn a_holder_whose_permit_is_taken_follows_the_next_one() {
    let house = House::of(3);
    for _ in 0..20 {
        sleep(secs(33)).await;
        house.store.force_release();
        sleep(secs(25)).await;
        let mut standings = house.standings();
        standings.sort_by_key(|standing| *standing != Standing::Holder);
        assert_eq!(standings, [Standing::Holder, Standing::Follower, Standing::Follower]);
    }
}
