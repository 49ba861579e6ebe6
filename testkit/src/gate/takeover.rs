//! Taking over: a class never stops, whoever is gone.

use std::panic::resume_unwind;

use queue_core::{Outcome, Turn};
use tokio::task::{JoinSet, yield_now};

use super::GateClause;
use super::GatePromise::{Closes, HandsOver, Judges};
use super::case::Case;
use super::subject::{Subject, Waiting, empty, full, slow};
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<GateClause> {
    vec![
        Clause::of(a_worker_that_is_alone_is_master).when(HandsOver),
        Clause::of(a_dropped_turn_makes_one_waiting_worker_master).when(Closes).when(HandsOver),
        Clause::of(a_turn_lost_in_a_panic_makes_a_waiting_worker_master).when(HandsOver),
        Clause::of(a_master_that_is_busy_is_stood_in_for).when(Closes).when(HandsOver),
        Clause::of(a_stand_in_opens_the_gate).when(Closes).when(Judges).when(HandsOver),
        Clause::of(a_worker_that_gave_up_is_passed_over).when(HandsOver),
        Clause::of(a_worker_that_gives_up_when_it_is_woken_passes_its_turn_on).when(HandsOver),
        Clause::of(a_class_never_stops),
    ]
}

/// G8: whatever its number.
async fn a_worker_that_is_alone_is_master(case: Case) {
    let gate = case.gate();
    for number in [7, 7, 3] {
        gate.turn(number).await.report(empty());
    }
}

/// G8: one, not all.
async fn a_dropped_turn_makes_one_waiting_worker_master(case: Case) {
    let gate = case.gate();
    let master = gate.turn(0).await;
    let mut waiting = gate.wait_in_vain([1, 2, 3]).await;
    drop(master);
    gate.settles().await;
    let turns: Vec<_> = waiting.iter_mut().filter_map(Waiting::turn).collect();
    assert_eq!(turns.len(), 1, "the gate is closed: one worker stands in");
}

/// G8: a panic drops the turn while the stack unwinds.
async fn a_turn_lost_in_a_panic_makes_a_waiting_worker_master(case: Case) {
    let gate = case.gate();
    let master = gate.turn(0).await;
    let next = gate.waits(1);
    yield_now().await;
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        let _lost = master;
        resume_unwind(Box::new("the poll panics"))
    });
    let ended: Option<Result<(), _>> = tasks.join_next().await;
    assert!(ended.is_some_and(|end| end.is_err()), "the poll panicked");
    drop(next.gets_one().await);
}

/// G8: worker 0 handles a message and does not come back.
async fn a_master_that_is_busy_is_stood_in_for(case: Case) {
    let gate = case.gate();
    let master = gate.turn(0).await;
    let mut waiting = gate.wait_in_vain([1]).await;
    master.report(slow(10, 1));
    drop(waiting.pop().expect("one waits").gets_one().await);
}

/// G3, G8: a stand-in's outcomes count as the master's.
async fn a_stand_in_opens_the_gate(case: Case) {
    let gate = case.gate();
    let stand_in = gate.turn(3).await;
    let waiting = gate.wait_in_vain([4, 5]).await;
    stand_in.report(full());
    let mut turns = Vec::new();
    for worker in waiting {
        turns.push(worker.gets_one().await);
    }
    assert_eq!(turns.len(), 2);
}

/// G8: it keeps no place.
async fn a_worker_that_gave_up_is_passed_over(case: Case) {
    let gate = case.gate();
    let master = gate.turn(0).await;
    let (first, second) = (gate.waits(1), gate.waits(2));
    yield_now().await;
    first.gives_up().await;
    drop(master);
    drop(second.gets_one().await);
}

/// G8: dropped between being woken and running, it hands the turn on.
async fn a_worker_that_gives_up_when_it_is_woken_passes_its_turn_on(case: Case) {
    let gate = case.gate();
    let master = gate.turn(0).await;
    let (first, second) = (gate.waits(1), gate.waits(2));
    yield_now().await;
    drop(master);
    first.gives_up().await;
    drop(second.gets_one().await);
}

/// What a worker may do at a moment when it should better not.
const MOVES: u32 = 5;

/// G8: after any five moves of three workers, the next one that asks gets a turn.
async fn a_class_never_stops(case: Case) {
    for moves in 0..MOVES.pow(5) {
        let gate = case.gate();
        let mut crowd = Crowd::default();
        for step in 0..5 {
            crowd.step(&gate, moves / MOVES.pow(step) % MOVES, step % 3).await;
        }
        crowd.leave().await;
        drop(gate.waits(2).gets_one().await);
    }
}

/// Workers that come and go.
#[derive(Default)]
struct Crowd {
    waiting: Vec<Waiting>,
    turns: Vec<Turn>,
}

impl Crowd {
    async fn step(&mut self, gate: &Subject, what: u32, number: u32) {
        match what {
            0 => self.waiting.push(gate.waits(number)),
            1 => self.give_up().await,
            2 => drop(self.turns.pop()),
            3 => self.report(Outcome::Failed),
            _ => self.report(empty()),
        }
        if what != 1 {
            yield_now().await;
        }
        self.turns.extend(self.waiting.iter_mut().filter_map(Waiting::turn));
    }

    async fn give_up(&mut self) {
        if let Some(worker) = self.waiting.pop() {
            worker.gives_up().await;
        }
    }

    fn report(&mut self, outcome: Outcome) {
        if let Some(turn) = self.turns.pop() {
            turn.report(outcome);
        }
    }

    async fn leave(self) {
        for worker in self.waiting {
            worker.gives_up().await;
        }
    }
}
