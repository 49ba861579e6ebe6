//! The semaphore is down: each process polls for itself, and a class never stops.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use worker::Standing;

use crate::process::{House, Process, ms, secs};
use crate::wire::State;

fn all(house: &House, state: State) {
    house.processes.iter().for_each(|process| process.wire.is_now(state));
}

/// The longest time without a poll that anybody began, from `since` until now.
fn longest_silence(house: &House, since: Instant) -> Duration {
    let mut polls: Vec<_> =
        house.processes.iter().flat_map(Process::receives).filter(|at| *at > since).collect();
    polls.extend([since, Instant::now()]);
    polls.sort();
    polls.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap()
}

// G8: from the start
#[tokio::test(start_paused = true)]
async fn a_semaphore_that_never_answers_delays_the_first_poll_by_one_call() {
    for (state, most) in [(State::Broken, ms(1)), (State::Hung, secs(2)), (State::Panics, ms(1))] {
        let since = Instant::now();
        let house = House::of(2);
        all(&house, state);
        sleep(secs(100)).await;
        assert_eq!(house.standings(), [Standing::Alone; 2], "{state:?}");
        for process in &house.processes {
            let first = *process.receives().first().unwrap() - since;
            assert!(first <= most + ms(1), "{state:?}: {first:?}");
            assert_eq!(process.cluster.calls().fallbacks, 1);
        }
    }
}

// G8, G9
#[tokio::test(start_paused = true)]
async fn ten_minutes_without_a_semaphore_stop_nothing_and_one_polls_after_them() {
    for state in [State::Broken, State::Hung, State::Panics] {
        let house = House::of(4);
        sleep(secs(95)).await;
        let since = Instant::now();
        all(&house, state);
        sleep(secs(600)).await;
        assert_eq!(house.standings(), [Standing::Alone; 4], "{state:?}");
        assert!(longest_silence(&house, since) <= secs(23), "{:?}", longest_silence(&house, since));
        all(&house, State::Up);
        sleep(secs(30)).await;
        house.is_quiet().await;
        assert!(
            house.processes.iter().all(|process| process.cluster.calls().failures > 100),
            "they asked on"
        );
    }
}

// G8, G9: a short outage brings nobody else to the queue
#[tokio::test(start_paused = true)]
async fn an_outage_shorter_than_the_lease_changes_nothing() {
    let house = House::of(4);
    sleep(secs(95)).await;
    let before = house.standings();
    for _ in 0..10 {
        all(&house, State::Broken);
        sleep(secs(10)).await;
        all(&house, State::Up);
        sleep(secs(30)).await;
        assert_eq!(house.standings(), before);
    }
    house.is_quiet().await;
}

// G8, G9: the holder dies while the database is away
#[tokio::test(start_paused = true)]
async fn a_holder_that_dies_in_an_outage_is_replaced() {
    let house = House::of(3);
    sleep(secs(95)).await;
    let (killed, since) = (house.holder(), Instant::now());
    house.processes[killed].kill();
    all(&house, State::Hung);
    sleep(secs(300)).await;
    assert!(longest_silence(&house, since) <= secs(34), "{:?}", longest_silence(&house, since));
}

// G8: one process that has lost its way to the database disturbs no other
#[tokio::test(start_paused = true)]
async fn a_process_that_is_cut_off_polls_for_itself_and_comes_back() {
    let house = House::of(3);
    sleep(secs(95)).await;
    let holder = house.holder();
    house.processes[holder].wire.is_now(State::Hung);
    sleep(secs(100)).await;
    let standings = house.standings();
    assert_eq!(standings[holder], Standing::Alone);
    assert_eq!(standings.iter().filter(|standing| **standing == Standing::Holder).count(), 1);
    house.processes[holder].wire.is_now(State::Up);
    sleep(secs(30)).await;
    assert_eq!(house.standings()[holder], Standing::Follower);
    house.is_quiet().await;
}

// G8: what was asked of a cluster that has been left
#[tokio::test(start_paused = true)]
async fn a_receiver_that_runs_on_after_the_cluster_was_stopped_polls_for_itself() {
    let house = House::of(2);
    sleep(secs(95)).await;
    let since = Instant::now() - ms(1);
    for process in &house.processes {
        process.cluster.stop().await;
    }
    sleep(secs(100)).await;
    assert_eq!(house.standings(), [Standing::Alone; 2]);
    assert!(house.processes.iter().all(|process| process.receives_since(since) >= 5));
}
