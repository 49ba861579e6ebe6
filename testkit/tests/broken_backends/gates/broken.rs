//! A master gate that does one thing wrong.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use queue_core::{MasterGate, Outcome, PollGate, Turn, WorkerClass, WorkerName};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::fault::Fault;

/// How often a broken gate looks where a sound one would be woken.
const GLANCE: Duration = Duration::from_millis(5);

/// A master gate that does one thing wrong.
#[derive(Debug)]
pub(crate) struct Broken {
    fault: Fault,
    inner: Arc<MasterGate>,
    state: Arc<Mutex<State>>,
}

/// What a broken gate remembers.
#[derive(Debug, Default)]
struct State {
    /// Whether it lets everyone in, whatever the gate beneath says.
    forced: bool,
    /// How many quick receives were in a row, as this gate counts.
    quick: usize,
    /// How many turns of workers other than worker 0 are out.
    others: usize,
    /// Turns that nobody gets back.
    kept: Vec<Turn>,
}

/// Whose poll ends, and what is broken.
#[derive(Clone, Copy)]
struct Poll {
    fault: Fault,
    number: u32,
}

impl Broken {
    pub(crate) fn new(fault: Fault) -> Self {
        Self { fault, inner: Arc::default(), state: Arc::default() }
    }

    /// The name under which the gate beneath knows the worker.
    fn name(&self, who: &WorkerName) -> WorkerName {
        match self.fault {
            Fault::OneClass => WorkerName::new(WorkerClass::MAIN, who.number()),
            Fault::FirstComeFirstServed => WorkerName::new(who.class().clone(), 5),
            _ => who.clone(),
        }
    }

    /// Holds a worker up that a sound gate would not hold up, or not like this.
    async fn hold_up(&self, who: &WorkerName) {
        match self.fault {
            Fault::NoStandIn if who.number() > 0 => self.until_open(who, GLANCE).await,
            Fault::Timer if who.number() > 0 => self.until_open(who, Duration::from_secs(1)).await,
            Fault::Edge if who.number() > 0 => {
                while self.inner.is_open(who.class()) {
                    sleep(GLANCE).await;
                }
            }
            Fault::WaitsForOthers if who.number() == 0 => {
                while self.state.lock().unwrap().others > 0 {
                    sleep(GLANCE).await;
                }
            }
            _ => {}
        }
    }

    async fn until_open(&self, who: &WorkerName, glance: Duration) {
        while !self.inner.is_open(who.class()) {
            sleep(glance).await;
        }
    }

    /// Enters the gate beneath; one that keeps places goes on entering when it is dropped.
    async fn enter_beneath(&self, who: &WorkerName) -> Turn {
        let who = self.name(who);
        if self.fault != Fault::KeepsPlaces {
            return self.inner.enter(&who).await;
        }
        let (answer, turn) = oneshot::channel();
        let (inner, state) = (Arc::clone(&self.inner), Arc::clone(&self.state));
        let mut task = JoinSet::new();
        task.spawn(async move {
            if let Err(unheard) = answer.send(inner.enter(&who).await) {
                state.lock().unwrap().kept.push(unheard);
            }
        });
        task.detach_all();
        turn.await.unwrap()
    }
}

#[async_trait]
impl PollGate for Broken {
    async fn enter(&self, who: &WorkerName) -> Turn {
        if self.state.lock().unwrap().forced {
            return Turn::new(|_outcome| {});
        }
        self.hold_up(who).await;
        let turn = self.enter_beneath(who).await;
        let (poll, state) = (Poll { fault: self.fault, number: who.number() }, Arc::clone(&self.state));
        state.lock().unwrap().others += usize::from(poll.number > 0);
        Turn::new(move |outcome| state.lock().unwrap().ends(poll, turn, outcome))
    }
}

impl State {
    fn ends(&mut self, poll: Poll, turn: Turn, outcome: Option<Outcome>) {
        self.others -= usize::from(poll.number > 0);
        match (poll.fault, outcome) {
            (Fault::KeepsDroppedTurns, None) | (Fault::KeepsFailedTurns, Some(Outcome::Failed)) => {
                self.kept.push(turn);
            }
            (Fault::DropOpens, None) => self.forced = true,
            (_, None) => drop(turn),
            (_, Some(outcome)) => turn.report(self.judge(poll, outcome)),
        }
    }

    /// What the gate beneath is told.
    fn judge(&mut self, poll: Poll, outcome: Outcome) -> Outcome {
        let Poll { fault, number } = poll;
        let Outcome::Received { asked, got, waited } = outcome else { return failed(fault) };
        let (small, empty) = (got > 0 && got * 2 < asked, got == 0);
        let told = |got, waited| Outcome::Received { asked, got, waited };
        match fault {
            Fault::NeverOpens if !empty => Outcome::Failed,
            Fault::NeverCloses if empty => Outcome::Failed,
            Fault::OthersNeverClose if empty && number > 0 => Outcome::Failed,
            Fault::AnyOpens if small => told(asked, waited),
            Fault::MoreThanHalf if got * 2 == asked => told(got - 1, waited),
            Fault::NoRow if !empty => told(got, Duration::from_secs(1)),
            Fault::WaitingIsQuick => told(got, Duration::ZERO),
            Fault::EmptyIsNoBreak => told(self.row(asked, got, waited), waited),
            Fault::SmallCloses if small => told(0, waited),
            Fault::SmallClosesAtOthers if small && number > 0 => told(0, waited),
            Fault::StandInsDoNotJudge if number > 0 && !empty => Outcome::Failed,
            Fault::OthersOpen => {
                self.forced = !empty && (self.forced || number > 0);
                outcome
            }
            _ => outcome,
        }
    }

    /// How many came, or all that were asked for with the third quick one since the last that waited for messages.
    fn row(&mut self, asked: usize, got: usize, waited: Duration) -> usize {
        let quick = got > 0 && waited.is_zero();
        self.quick = if quick { self.quick + 1 } else { self.quick * usize::from(got == 0) };
        if self.quick == 3 { asked } else { got }
    }
}

fn failed(fault: Fault) -> Outcome {
    let told = |got| Outcome::Received { asked: 10, got, waited: Duration::from_secs(1) };
    match fault {
        Fault::FailureOpens => told(10),
        Fault::FailureCloses => told(0),
        _ => Outcome::Failed,
    }
}
