//! The player: asks the script what happens to a call, and keeps the record.

use std::collections::BTreeMap;
use std::fmt;
use std::future::pending;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::{Call, CallKind, Fault};

type Script = Box<dyn FnMut(CallKind, usize) -> Fault + Send>;

pub(super) struct Player(Mutex<State>);

struct State {
    script: Script,
    numbers: BTreeMap<CallKind, usize>,
    calls: Vec<Call>,
}

impl Player {
    pub(super) fn new(script: impl FnMut(CallKind, usize) -> Fault + Send + 'static) -> Self {
        Self(Mutex::new(State { script: Box::new(script), numbers: BTreeMap::new(), calls: Vec::new() }))
    }

    /// Starts a call, and answers what happens to it when it reaches the queue.
    pub(super) async fn play(&self, kind: CallKind, entries: usize, visibility: Option<Duration>) -> Fault {
        let mut fault = self.lock().start(kind, entries, visibility);
        loop {
            match fault {
                Fault::After(delay, then) => {
                    sleep(delay).await;
                    fault = *then;
                }
                Fault::Delay(delay) => fault = Fault::None.after(delay),
                Fault::Hang => return pending().await,
                Fault::Panic => panic!("the client panics in a {kind}"),
                fault => return fault,
            }
        }
    }

    pub(super) fn heal(&self) {
        self.lock().script = Box::new(|_, _| Fault::None);
    }

    pub(super) fn calls(&self) -> Vec<Call> {
        self.lock().calls.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn start(&mut self, kind: CallKind, entries: usize, visibility: Option<Duration>) -> Fault {
        let next = self.numbers.entry(kind).or_default();
        let number = *next;
        *next += 1;
        let fault = (self.script)(kind, number);
        self.calls.push(Call { kind, number, entries, visibility, at: Instant::now(), fault: fault.clone() });
        fault
    }
}

/// What the script made of the calls: it can't be shown itself.
impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("calls", &self.lock().numbers).finish_non_exhaustive()
    }
}
