//! The gate of a process that follows, turn by turn.

use std::time::Duration;

use futures::FutureExt;
use queue_core::{Outcome, PollGate, Turn, WorkerClass, WorkerName};
use semaphore::{PermitRequest, lease, max};
use tokio::time::{sleep, timeout};
use worker::{Cluster, ClusterGate, Standing};

use crate::process::{ms, secs};
use crate::store::Store;
use crate::wire::Wire;

fn received(got: usize) -> Outcome {
    Outcome::Received { asked: 10, got, waited: secs(1) }
}

fn turn(gate: &ClusterGate, number: u32) -> Option<Turn> {
    gate.enter(&WorkerName::new(WorkerClass::MAIN, number)).now_or_never()
}

/// A holder and a follower, in whose process a worker waits.
struct Pair {
    store: Store,
    holder: ClusterGate,
    follower: ClusterGate,
}

impl Pair {
    async fn new() -> Self {
        let store = Store::default();
        let [holder, follower] = [(); 2].map(|()| Cluster::new(Wire::to(&store)).gate("orders"));
        holder.enter(&WorkerName::new(WorkerClass::MAIN, 0)).await.report(received(0));
        let pair = Self { store, holder, follower };
        pair.wait().await;
        assert_eq!(pair.follower.standing(&WorkerClass::MAIN), Standing::Follower);
        pair
    }

    /// Lets two ticks pass while a worker waits at the follower's gate, and says whether it got a turn.
    async fn wait(&self) -> bool {
        let name = WorkerName::new(WorkerClass::MAIN, 7);
        let entering = self.follower.enter(&name);
        let turn = timeout(secs(4), entering).await;
        if turn.is_err() {
            return false;
        }
        sleep(secs(4)).await;
        true
    }

    fn holder_receives(&self, got: usize) {
        turn(&self.holder, 0).unwrap().report(received(got));
    }
}

// G2, G4, G9
#[tokio::test(start_paused = true)]
async fn nobody_polls_at_a_follower_while_the_holders_gate_is_closed() {
    let pair = Pair::new().await;
    for got in [0, 4, 1, 0] {
        pair.holder_receives(got);
        assert!(!pair.wait().await);
        assert!((0..10).all(|number| turn(&pair.follower, number).is_none()));
    }
}

// G2, G3, G9
#[tokio::test(start_paused = true)]
async fn everybody_polls_at_a_follower_while_the_holders_gate_is_open() {
    let pair = Pair::new().await;
    pair.holder_receives(10);
    assert!(pair.wait().await);
    let turns: Vec<_> = (0..10).filter_map(|number| turn(&pair.follower, number)).collect();
    assert_eq!(turns.len(), 10);
    for turn in turns {
        turn.report(received(3));
    }
    assert!(pair.wait().await, "messages there change nothing");
}

// G3, G9: the follower's find closes its own gate, and only the holder's next opening opens it again
#[tokio::test(start_paused = true)]
async fn an_opening_that_brought_nothing_is_not_tried_again_at_each_tick() {
    let pair = Pair::new().await;
    pair.holder_receives(10);
    assert!(pair.wait().await);
    turn(&pair.follower, 3).unwrap().report(received(0));
    for _ in 0..20 {
        pair.holder_receives(4);
        assert!(!pair.wait().await, "a small receive is no opening");
    }
    assert!(pair.holder.is_open(&WorkerClass::MAIN) && !pair.follower.is_open(&WorkerClass::MAIN));
    pair.holder_receives(10);
    assert!(pair.wait().await, "a full one is, though the holder's gate was open all the time");
}

// G5, G9
#[tokio::test(start_paused = true)]
async fn a_closing_takes_no_turn_away_and_lets_nobody_in() {
    let pair = Pair::new().await;
    pair.holder_receives(10);
    assert!(pair.wait().await);
    let running = turn(&pair.follower, 3).unwrap();
    pair.holder_receives(0);
    sleep(secs(4)).await;
    assert!(turn(&pair.follower, 4).is_none() && !pair.follower.is_open(&WorkerClass::MAIN));
    running.report(received(10));
    assert!(!pair.wait().await, "what another worker brings opens nothing");
}

// G9
#[tokio::test(start_paused = true)]
async fn what_stands_beside_the_permit_says_open_or_closed_and_whose_it_is() {
    let pair = Pair::new().await;
    let context = || pair.store.context("gate:orders:main").unwrap();
    assert!(context().starts_with("closed 0 "));
    pair.holder_receives(10);
    sleep(ms(1)).await;
    assert!(context().starts_with("open 1 ") && context().ends_with(&format!("/{}", std::process::id())));
}

// G9
#[tokio::test(start_paused = true)]
async fn a_holder_that_posts_no_notice_opens_nothing() {
    let store = Store::default();
    let request = PermitRequest::new("gate:orders:main", max(1), lease(secs(60))).with_context("blue 3");
    store.acquire(&request).unwrap();
    let gate = Cluster::new(Wire::to(&store)).gate("orders");
    let name = WorkerName::new(WorkerClass::MAIN, 0);
    assert!(timeout(secs(59), gate.enter(&name)).await.is_err());
    assert!(timeout(secs(4), gate.enter(&name)).await.is_ok(), "its lease has ended");
}

// G9
#[tokio::test(start_paused = true)]
async fn a_queues_name_that_is_no_key_is_refused() {
    let cluster = Cluster::new(Wire::default());
    for name in ["ä", "a\n", "x".repeat(246).as_str()] {
        let gate = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| cluster.gate(name)));
        assert!(gate.is_err(), "{name:?}");
    }
    cluster.gate("x".repeat(245));
}

// G8: a class whose name is too long for a key goes on without the cluster
#[tokio::test(start_paused = true)]
async fn a_class_whose_name_is_too_long_polls_for_itself() {
    let class = WorkerClass::new(&"a".repeat(300)).unwrap();
    let gate = Cluster::new(Wire::default()).gate("orders");
    let name = WorkerName::new(class.clone(), 0);
    assert!(gate.enter(&name).now_or_never().is_some());
    assert_eq!(gate.standing(&class), Standing::Alone);
    sleep(Duration::ZERO).await;
}
