//! A gate that lets one worker poll while a queue is idle.

mod class;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use super::PollGate;
use crate::{Turn, WorkerClass, WorkerName};
use class::ClassGate;

/// Lets only a class's acting master poll while its queue is quiet, and everyone once there is work.
///
/// The acting master is worker 0 whenever it is at the gate; otherwise the waiting worker with the lowest number.
/// Each class has a gate of its own. One `MasterGate` serves one queue in one process.
///
/// # Guarantees
/// G1 to G5, G7, G8. Two masters for a moment cost calls and nothing else.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use queue_core::{MasterGate, Outcome, PollGate, WorkerClass, WorkerName};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let gate = MasterGate::new();
/// let turn = gate.enter(&WorkerName::new(WorkerClass::MAIN, 0)).await;
/// turn.report(Outcome::Received { asked: 10, got: 10, waited: Duration::ZERO });   // a burst: the gate opens
/// let _turn = gate.enter(&WorkerName::new(WorkerClass::MAIN, 7)).await;
/// # }
/// ```
#[derive(Debug, Default)]
pub struct MasterGate {
    classes: Mutex<HashMap<WorkerClass, Arc<ClassGate>>>,
}

impl MasterGate {
    /// Makes a gate with every class closed (G1).
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the gate of `class` is open.
    pub fn is_open(&self, class: &WorkerClass) -> bool {
        self.class(class).is_open()
    }

    /// Opens the gate of `class` from outside: somebody else found that there is work.
    pub fn open(&self, class: &WorkerClass) {
        self.class(class).set_open(true);
    }

    /// Closes the gate of `class` from outside. Polls that are running go on (G5).
    pub fn close(&self, class: &WorkerClass) {
        self.class(class).set_open(false);
    }

    /// Has no acting master in `class` until [`resume`](Self::resume): workers poll while the gate is open, and nobody
    /// does while it is closed. For gates over several processes, of which one has the master.
    pub fn suspend(&self, class: &WorkerClass) {
        self.class(class).set_suspended(true);
    }

    /// Ends what [`suspend`](Self::suspend) began: the waiting worker with the lowest number is acting master at once.
    pub fn resume(&self, class: &WorkerClass) {
        self.class(class).set_suspended(false);
    }

    fn class(&self, class: &WorkerClass) -> Arc<ClassGate> {
        let mut classes = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(classes.entry(class.clone()).or_default())
    }
}

#[async_trait]
impl PollGate for MasterGate {
    async fn enter(&self, who: &WorkerName) -> Turn {
        self.class(who.class()).enter(who.number()).await
    }
}
