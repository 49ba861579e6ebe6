//! The cluster gate: the poll gate of one queue in one process of a cluster.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use queue_core::{MasterGate, PollGate, Turn, WorkerClass, WorkerName};
use semaphore::{SemaphoreError, SemaphoreKey};
use tokio_util::sync::DropGuard;
use tracing::warn;

use super::class::ClusterClass;
use super::{Cluster, Standing};

/// Lets one worker of all processes poll while a queue is quiet, and everyone once there is work.
///
/// Made by [`Cluster::gate`], which has the rules and the figures. Clones are the same gate.
///
/// # Guarantees
/// G1 to G5, G7 to G10.
///
/// # Drop
/// When the last clone is dropped, its permits are released, by tasks that are there already: other processes go on.
/// [`Cluster::stop`] waits for that.
#[derive(Clone)]
pub struct ClusterGate {
    queue: Arc<Queue>,
}

/// The queue that a gate is for.
struct Queue {
    name: String,
    cluster: Cluster,
    local: Arc<MasterGate>,
    /// A class whose name is too long for a key is not of the cluster.
    classes: Mutex<HashMap<WorkerClass, Option<Arc<ClusterClass>>>>,
    /// Ends its classes with it.
    stop: DropGuard,
}

impl ClusterGate {
    pub(super) fn new(cluster: Cluster, name: String) -> Self {
        let checked = key(&name, &WorkerClass::MAIN);
        assert!(checked.is_ok(), "gate({name:?}): a queue's name is short printable ASCII: {checked:?}");
        let stop = cluster.shared().stop.child_token().drop_guard();
        let local = Arc::new(MasterGate::new());
        Self { queue: Arc::new(Queue { name, cluster, local, classes: Mutex::default(), stop }) }
    }

    /// Whether the gate of `class` is open in this process.
    pub fn is_open(&self, class: &WorkerClass) -> bool {
        self.queue.local.is_open(class)
    }

    /// What this process is to `class`; [`Asking`](Standing::Asking) before its first worker came.
    pub fn standing(&self, class: &WorkerClass) -> Standing {
        match self.queue.lock().get(class) {
            Some(Some(class)) => class.standing(),
            Some(None) => Standing::Alone,
            None => Standing::Asking,
        }
    }
}

#[async_trait]
impl PollGate for ClusterGate {
    async fn enter(&self, who: &WorkerName) -> Turn {
        let Some(class) = self.queue.class(who.class()) else { return self.queue.local.enter(who).await };
        let waiting = Waiting::at(class);
        if waiting.class.standing() == Standing::Asking {
            self.queue.cluster.shared().asking.notify_one();
        }
        let turn = self.queue.local.enter(who).await;
        waiting.has(turn)
    }
}

impl Queue {
    fn class(&self, class: &WorkerClass) -> Option<Arc<ClusterClass>> {
        self.lock().entry(class.clone()).or_insert_with(|| self.found(class)).clone()
    }

    /// Takes a class into the cluster when its first worker comes.
    fn found(&self, class: &WorkerClass) -> Option<Arc<ClusterClass>> {
        let key = key(&self.name, class);
        let key =
            key.inspect_err(|error| warn!(%error, "this class polls for itself in each process")).ok()?;
        let stop = self.stop.token().child_token();
        let class = Arc::new(ClusterClass::new(key, class.clone(), Arc::clone(&self.local), stop));
        self.cluster.shared().join(&class);
        Some(class)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<WorkerClass, Option<Arc<ClusterClass>>>> {
        self.classes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The key of the permit by which a class of a queue has its master.
fn key(queue: &str, class: &WorkerClass) -> Result<SemaphoreKey, SemaphoreError> {
    SemaphoreKey::new(format!("gate:{queue}:{class}"))
}

/// A worker that waits at the gate. Dropping it is leaving.
struct Waiting {
    class: Arc<ClusterClass>,
}

impl Waiting {
    fn at(class: Arc<ClusterClass>) -> Self {
        class.come();
        Self { class }
    }

    /// The turn that it got, which tells the class of its end after the local gate has judged it.
    fn has(self, turn: Turn) -> Turn {
        let class = Arc::clone(&self.class);
        class.given();
        Turn::new(move |outcome| {
            match outcome {
                Some(outcome) => turn.report(outcome),
                None => drop(turn),
            }
            class.ended(outcome);
        })
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.class.leave();
    }
}

impl fmt::Debug for ClusterGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterGate").field("queue", &self.queue.name).finish_non_exhaustive()
    }
}
