//! Redrives at a server that fails, and redrives that are dropped.

use std::collections::BTreeSet;
use std::time::Duration;

use queue_core::{Inspect, Message};
use testkit::server::FaultScript;
use tokio::time::timeout;

use crate::world::{World, drain, order};

fn check(moved: &[Message], groups: usize, each: usize, ordered: bool) {
    let different: BTreeSet<_> = moved.iter().map(Message::body).collect();
    assert_eq!(different.len(), groups * each, "{different:?}");
    for group in (0..groups).filter(|_| ordered) {
        let mut seen = BTreeSet::new();
        let firsts: Vec<_> = order(moved, group).into_iter().filter(|number| seen.insert(*number)).collect();
        assert_eq!(firsts, (0..each).collect::<Vec<_>>(), "group {group}");
    }
}

/// Redrives until it succeeds; what is hidden comes back meanwhile.
async fn persist(world: &World) {
    for _ in 0..20 {
        let ended = world.dead.redrive_to(&world.queue, u64::MAX).await;
        world.server.advance(Duration::from_mins(2));
        if ended.is_ok() && world.dead.depth().await.unwrap().total() == 0 {
            return;
        }
    }
    panic!("it never ends");
}

/// A fifth of the calls fail: throttled, reset, with 500, with a lost answer, in part.
async fn a_server_that_fails(ordered: bool) {
    let world = World::start(ordered).await;
    let each = if ordered { 12 } else { 50 }; // enough calls of either kind for each fault
    world.bury(3, each).await;
    world.server.faults(FaultScript::in_turn(5));
    let ended = timeout(Duration::from_mins(1), world.dead.redrive_to(&world.queue, u64::MAX)).await;
    ended.expect("it ends").ok();
    assert!(world.server.struck().iter().sum::<u64>() >= 5, "each in turn: {:?}", world.server.struck());
    world.server.heal();
    world.server.advance(Duration::from_mins(2));
    persist(&world).await;
    check(&drain(&world.queue).await, 3, each, ordered);
}

// Q3, Q6, P33, P34
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_fails_loses_nothing_of_a_standard_queue() {
    a_server_that_fails(false).await;
}

// Q3, Q6, Q8, P33, P34
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_fails_loses_nothing_of_a_fifo_queue() {
    a_server_that_fails(true).await;
}

// Q3, Q8
#[tokio::test(flavor = "multi_thread")]
async fn a_redrive_that_is_dropped_anywhere_loses_nothing() {
    for ordered in [false, true] {
        let world = World::start(ordered).await;
        world.bury(2, 20).await;
        for tries in 0..12 {
            let cut = Duration::from_micros(1_000 + 700 * tries);
            timeout(cut, world.dead.redrive_to(&world.queue, u64::MAX)).await.ok();
            world.server.advance(Duration::from_mins(2)); // what was received comes back
        }
        persist(&world).await;
        check(&drain(&world.queue).await, 2, 20, ordered);
    }
}
