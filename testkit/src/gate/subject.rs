//! The gate under test, with the moves that clauses are made of.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{Outcome, PollGate, Turn, WorkerClass, WorkerName};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::pace::Pace;

/// The gate under test, seen by the workers of one class.
#[derive(Clone)]
pub(super) struct Subject {
    gate: Arc<dyn PollGate>,
    class: WorkerClass,
    pace: Pace,
}

impl Subject {
    pub(super) fn new(gate: Arc<dyn PollGate>, pace: Pace) -> Self {
        Self { gate, class: WorkerClass::MAIN, pace }
    }

    /// The same gate, seen by the workers of another class.
    pub(super) fn of(&self, class: WorkerClass) -> Self {
        Self { class, ..self.clone() }
    }

    /// The turn that a worker has to get at once.
    pub(super) async fn turn(&self, number: u32) -> Turn {
        let name = WorkerName::new(self.class.clone(), number);
        let turn = timeout(self.pace.slack, self.gate.enter(&name)).await;
        turn.unwrap_or_else(|_| panic!("{name} has to get a turn at once"))
    }

    /// A worker that asks for a turn and waits, in a task of its own.
    pub(super) fn waits(&self, number: u32) -> Waiting {
        let (gate, name) = (Arc::clone(&self.gate), WorkerName::new(self.class.clone(), number));
        let mut task = JoinSet::new();
        let entered = name.clone();
        task.spawn(async move { gate.enter(&entered).await });
        Waiting { task, name, pace: self.pace }
    }

    /// Workers that ask for a turn and have to wait.
    pub(super) async fn wait_in_vain(&self, numbers: impl IntoIterator<Item = u32>) -> Vec<Waiting> {
        let mut waiting: Vec<_> = numbers.into_iter().map(|number| self.waits(number)).collect();
        for worker in &mut waiting {
            worker.has_none().await;
        }
        waiting
    }

    /// Lets everything happen that is to happen.
    pub(super) async fn settles(&self) {
        sleep(self.pace.slack).await;
    }

    /// Opens the gate: worker 0 receives a full batch.
    pub(super) async fn open(&self) {
        self.turn(0).await.report(full());
    }

    /// Checks that it is open: while worker 0 polls, worker 1 gets a turn too.
    pub(super) async fn is_open(&self) {
        let _master = self.turn(0).await;
        let _other = self.turn(1).await;
    }

    /// Checks that it is closed: while worker 0 polls, worker 1 waits.
    pub(super) async fn is_closed(&self) {
        let _master = self.turn(0).await;
        let mut other = self.waits(1);
        other.has_none().await;
        other.gives_up().await;
    }
}

/// A worker that waits for its turn.
pub(super) struct Waiting {
    task: JoinSet<Turn>,
    name: WorkerName,
    pace: Pace,
}

impl Waiting {
    /// Checks that it has no turn yet.
    pub(super) async fn has_none(&mut self) {
        sleep(self.pace.slack).await;
        assert!(self.turn().is_none(), "{} must not get a turn now", self.name);
    }

    /// The turn that it got.
    pub(super) fn turn(&mut self) -> Option<Turn> {
        self.task.try_join_next().map(|turn| turn.expect("entering doesn't panic"))
    }

    /// The turn that it has to get at once.
    pub(super) async fn gets_one(mut self) -> Turn {
        let turn = timeout(self.pace.slack, self.task.join_next()).await;
        let turn = turn.unwrap_or_else(|_| panic!("{} was not woken, though it is its turn", self.name));
        turn.expect("there is one task").expect("entering doesn't panic")
    }

    /// Stops waiting, or drops the turn that it got.
    pub(super) async fn gives_up(mut self) {
        self.task.shutdown().await;
    }
}

/// `got` of `asked` messages, which were there already.
pub(super) fn quick(asked: usize, got: usize) -> Outcome {
    Outcome::Received { asked, got, waited: Duration::ZERO }
}

/// `got` of `asked` messages, after a while.
pub(super) fn slow(asked: usize, got: usize) -> Outcome {
    Outcome::Received { asked, got, waited: Duration::from_secs(5) }
}

/// As many messages as were asked for.
pub(super) fn full() -> Outcome {
    slow(10, 10)
}

/// No message, after the whole wait.
pub(super) fn empty() -> Outcome {
    Outcome::Received { asked: 10, got: 0, waited: Duration::from_secs(20) }
}
