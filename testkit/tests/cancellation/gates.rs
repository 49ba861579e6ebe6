//! The gates: whoever is dropped on the way in gives its place up, and a class never stops.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{MasterGate, OpenGate, Outcome, PollGate, Turn, WorkerClass, WorkerName};
use testkit::{Run, matrix};
use tokio::task::{JoinSet, yield_now};
use tokio::time::{Instant, sleep, timeout};

use crate::support::seconds;

fn worker(number: u32) -> WorkerName {
    WorkerName::new(WorkerClass::MAIN, number)
}

/// Ends a turn after a second, in one of the ways there are.
async fn end_later(run: Run, turn: Turn) {
    sleep(seconds(1)).await;
    end(&run, turn);
}

fn end(run: &Run, turn: Turn) {
    let received = |got| Outcome::Received { asked: 10, got, waited: seconds(1) };
    match run.choose("a turn ends", &["dropped", "with a burst", "with a message", "empty", "failed"]) {
        0 => drop(turn),
        1 => turn.report(received(10)),
        2 => turn.report(received(1)),
        3 => turn.report(received(0)),
        _ => turn.report(Outcome::Failed),
    }
}

/// Waits for a turn, and answers when it had it; the turn is handed back unused.
async fn poll_once(gate: Arc<MasterGate>, number: u32) -> Instant {
    drop(gate.enter(&worker(number)).await);
    Instant::now()
}

// G4, G8: "a dropped call gives up its place, and a turn that was already its own goes to the next"
#[test]
fn a_class_never_stops_whoever_is_dropped_at_the_gate() {
    let runs = matrix(async |run: Run| {
        let (gate, mut tasks, mut others) = (Arc::new(MasterGate::new()), JoinSet::new(), JoinSet::new());
        let (holder, comer) = choose_workers(&run);
        let held = gate.enter(&worker(holder)).await;
        let before = run.choose("another waits", &["already", "later"]) == 0;
        if before {
            others.spawn(poll_once(Arc::clone(&gate), 2));
            yield_now().await;
        }
        tasks.spawn(end_later(run.clone(), held));
        let start = Instant::now();
        let turn = run.cut(gate.enter(&worker(comer))).await;
        if !before {
            others.spawn(poll_once(Arc::clone(&gate), 2));
            yield_now().await;
        }
        let free = Instant::now().max(start + seconds(1));
        if let Some(turn) = turn {
            end(&run, turn);
        }
        tasks.join_all().await;
        let had = timeout(seconds(9), others.join_all()).await;
        assert!(had.is_ok_and(|had| had[0] <= free), "the other has its turn at once");
        let entered = timeout(Duration::ZERO, gate.enter(&worker(comer))).await;
        assert!(entered.is_ok(), "and so has the next");
    });
    assert!(runs > 200, "{runs}");
}

/// Who has the turn first, and who comes to be dropped.
fn choose_workers(run: &Run) -> (u32, u32) {
    let numbers = &["0", "1", "3"];
    let holder = [0, 1, 3][run.choose("the turn is held by", numbers)];
    (holder, [0, 1, 3][run.choose("then comes", numbers)])
}

// G1, G8: turns that are dropped with their class open or closed, one after the other
#[test]
fn turns_end_in_any_order() {
    let runs = matrix(async |run: Run| {
        let gate = MasterGate::new();
        for number in 0..3 {
            let turn = run.cut(gate.enter(&worker(number))).await;
            if let Some(turn) = turn {
                end(&run, turn);
            }
        }
        for number in [2, 0, 1] {
            assert!(timeout(Duration::ZERO, gate.enter(&worker(number))).await.is_ok(), "{number}");
        }
    });
    assert_eq!(runs, 6 * 6 * 6);
}

#[test]
fn an_open_gate_holds_nobody() {
    let runs = matrix(async |run: Run| {
        let turn = run.cut(OpenGate.enter(&worker(1))).await;
        if let Some(turn) = turn {
            end(&run, turn);
        }
        assert!(timeout(Duration::ZERO, OpenGate.enter(&worker(2))).await.is_ok());
    });
    assert_eq!(runs, 6);
}
