//! G2 to G5, G7, G8 on the gate of one class, and every short interleaving of three workers at it.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures::FutureExt;
use proptest::prelude::*;

use super::*;

const QUICK: Duration = Duration::ZERO;
const LONG: Duration = Duration::from_secs(5);

fn received(asked: usize, got: usize, waited: Duration) -> Outcome {
    Outcome::Received { asked, got, waited }
}

fn enter(gate: &Arc<ClassGate>, number: u32) -> Option<Turn> {
    Arc::clone(gate).enter(number).now_or_never()
}

fn master_reports(gate: &Arc<ClassGate>, outcome: Outcome) {
    enter(gate, 0).expect("worker 0 may always poll").report(outcome);
}

// G1, G2, G4
#[test]
fn a_new_gate_is_closed_and_lets_worker_0_alone_in() {
    let gate = Arc::<ClassGate>::default();
    let master = enter(&gate, 0);
    assert!(master.is_some() && !gate.is_open());
    assert!((1..10).all(|number| enter(&gate, number).is_none()));
}

// G3
#[test]
fn half_of_what_was_asked_for_opens_it_and_less_leaves_it_as_it_is() {
    for (asked, got, opens) in [(10, 5, true), (10, 4, false), (1, 1, true), (3, 1, false), (3, 2, true)] {
        let gate = Arc::<ClassGate>::default();
        master_reports(&gate, received(asked, got, LONG));
        assert_eq!(gate.is_open(), opens, "{got} of {asked}");
        master_reports(&gate, received(10, 1, LONG));
        assert_eq!(gate.is_open(), opens, "a smaller one leaves it as it is");
    }
}

// G3
#[test]
fn the_third_quick_find_in_a_row_opens_it() {
    let gate = Arc::<ClassGate>::default();
    for waited in [QUICK, QUICK, LONG, QUICK, QUICK] {
        master_reports(&gate, received(10, 1, waited));
        assert!(!gate.is_open());
    }
    master_reports(&gate, received(10, 1, QUICK));
    assert!(gate.is_open());
}

// G3, G5
#[test]
fn an_empty_receive_by_any_worker_closes_it_and_takes_no_turn_away() {
    let gate = Arc::<ClassGate>::default();
    master_reports(&gate, received(10, 10, QUICK));
    let (_master, running, other) = (enter(&gate, 0), enter(&gate, 5).unwrap(), enter(&gate, 7).unwrap());
    running.report(received(10, 0, LONG));
    assert!(!gate.is_open() && enter(&gate, 5).is_none());
    other.report(received(10, 10, LONG));
    assert!(!gate.is_open(), "a message at another worker leaves it as it is");
}

// G7
#[test]
fn a_failed_receive_neither_opens_nor_closes() {
    let gate = Arc::<ClassGate>::default();
    master_reports(&gate, Outcome::Failed);
    assert!(!gate.is_open());
    master_reports(&gate, received(10, 10, QUICK));
    master_reports(&gate, Outcome::Failed);
    assert!(gate.is_open());
}

// G8
#[tokio::test]
async fn the_next_waiting_worker_takes_over_and_hands_back() {
    let gate = Arc::<ClassGate>::default();
    let master = enter(&gate, 0).unwrap();
    let mut waiting = [3, 1, 2].map(|number| Box::pin(Arc::clone(&gate).enter(number)));
    assert!(waiting.iter_mut().all(|enter| enter.now_or_never().is_none()));
    drop(master);
    let deputy = waiting[1].as_mut().await;
    let mut back = Box::pin(Arc::clone(&gate).enter(0));
    assert!(back.as_mut().now_or_never().is_none() && waiting[2].as_mut().now_or_never().is_none());
    deputy.report(received(10, 0, LONG));
    assert!(back.as_mut().now_or_never().is_some(), "worker 0 goes before those that wait with it");
}

// G2, G4: the acting master is elsewhere
#[test]
fn while_it_is_suspended_nobody_polls_but_through_an_open_gate() {
    let gate = Arc::<ClassGate>::default();
    gate.set_suspended(true);
    assert!((0..3).all(|number| enter(&gate, number).is_none()));
    gate.set_open(true);
    let turns: Vec<_> = (0..3).filter_map(|number| enter(&gate, number)).collect();
    assert_eq!((turns.len(), gate.lock().master), (3, false));
    gate.set_open(false);
    assert!(enter(&gate, 0).is_none());
    for turn in turns {
        turn.report(received(10, 10, QUICK));
    }
    assert!(!gate.is_open(), "none of them was the acting master's");
}

// G4, G8
#[tokio::test]
async fn whoever_waits_is_woken_when_it_is_opened_from_outside_or_resumed() {
    let gate = Arc::<ClassGate>::default();
    gate.set_suspended(true);
    let mut waiting = [0, 1].map(|number| Box::pin(Arc::clone(&gate).enter(number)));
    assert!(waiting.iter_mut().all(|enter| enter.now_or_never().is_none()));
    gate.set_open(true);
    let turns = [waiting[0].as_mut().await, waiting[1].as_mut().await];
    drop((turns, waiting));
    gate.set_open(false);
    let mut waiting = [0, 1].map(|number| Box::pin(Arc::clone(&gate).enter(number)));
    assert!(waiting.iter_mut().all(|enter| enter.now_or_never().is_none()));
    gate.set_suspended(false);
    let _master = waiting[0].as_mut().await;
    assert!(waiting[1].as_mut().now_or_never().is_none());
}

/// A worker as a future that is polled by hand, and only when it was woken.
#[derive(Default)]
struct Worker {
    entering: Option<Pin<Box<dyn Future<Output = Turn>>>>,
    turn: Option<Turn>,
    woken: Arc<Flag>,
}

#[derive(Default)]
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl Worker {
    fn runnable(&self) -> bool {
        self.entering.is_some() && self.woken.0.load(Ordering::SeqCst)
    }

    fn waits(&self) -> bool {
        self.entering.is_some() && !self.runnable()
    }

    /// One step of this worker, if `action` makes sense now.
    fn step(&mut self, gate: &Arc<ClassGate>, number: u32, action: usize) {
        match (self.turn.take(), action) {
            (Some(turn), 0) => turn.report(received(10, 10, QUICK)),
            (Some(turn), 1) => turn.report(received(10, 0, LONG)),
            (Some(turn), 2) => turn.report(Outcome::Failed),
            (Some(turn), _) => drop(turn),
            (None, 0..=2) => {
                if self.entering.is_none() {
                    self.entering = Some(Box::pin(Arc::clone(gate).enter(number)));
                    self.woken.0.store(true, Ordering::SeqCst);
                }
                self.run();
            }
            (None, _) => self.entering = None,
        }
    }

    fn run(&mut self) {
        if !self.runnable() {
            return;
        }
        self.woken.0.store(false, Ordering::SeqCst);
        let waker = Waker::from(Arc::clone(&self.woken));
        let enter = self.entering.as_mut().unwrap();
        if let Poll::Ready(turn) = enter.as_mut().poll(&mut Context::from_waker(&waker)) {
            (self.turn, self.entering) = (Some(turn), None);
        }
    }
}

/// Runs the steps, then lets everyone who was woken run on, and checks what must hold.
fn check(steps: &[(usize, usize)]) {
    let gate = Arc::<ClassGate>::default();
    let mut workers: [Worker; 3] = Default::default();
    for &(who, action) in steps {
        let closed = !gate.is_open();
        let turns = |workers: &[Worker; 3]| workers.iter().filter(|worker| worker.turn.is_some()).count();
        let before = turns(&workers);
        workers[who].step(&gate, u32::try_from(who).unwrap(), action);
        if closed && turns(&workers) > before {
            assert!(
                gate.lock().master,
                "while it is closed, only the acting master gets a turn (G4): {steps:?}"
            );
        }
    }
    while workers.iter().any(Worker::runnable) {
        workers.iter_mut().for_each(Worker::run);
    }
    let waiting = workers.iter().any(Worker::waits);
    let polling = workers.iter().any(|worker| worker.turn.is_some());
    assert!(!waiting || polling, "the class has stopped (G8): {steps:?}");
    assert!(!waiting || !gate.is_open(), "a wake-up was lost (G4): {steps:?}");
    assert!(!waiting || gate.lock().master, "nobody is acting master (G8): {steps:?}");
}

// G4, G8
#[test]
fn no_short_interleaving_of_three_workers_stops_the_class() {
    let all: Vec<_> = (0..12).map(|choice| (choice / 4, choice % 4)).collect();
    let mut steps = [all[0]; 5];
    for code in 0..all.len().pow(5) {
        let mut rest = code;
        for step in &mut steps {
            *step = all[rest % all.len()];
            rest /= all.len();
        }
        check(&steps);
    }
}

proptest! {
    // G4, G8
    #[test]
    fn no_long_interleaving_of_three_workers_stops_the_class(
        steps in prop::collection::vec((0_usize..3, 0_usize..4), 0..60)
    ) {
        check(&steps);
    }
}
