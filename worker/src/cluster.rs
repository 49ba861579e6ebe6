//! A cluster: the processes that share queues, as one of them sees it.

mod attendance;
mod bulletin;
mod calls;
mod class;
mod gate;
mod hearsay;
mod keep;
mod notice;
mod options;
mod shared;
mod standing;
mod watch;

use std::fmt;
use std::sync::Arc;

use semaphore::{Holders, Semaphore};
use tokio_util::sync::DropGuard;

pub use calls::ClusterCalls;
pub use gate::ClusterGate;
pub use options::ClusterOptions;
pub use standing::Standing;

use shared::Shared;

/// The processes that share queues, as this one sees it: one for a process. It makes the [gates](ClusterGate) that stand
/// before their receivers, so that all processes together poll a quiet queue as often as one would.
///
/// For each queue and class one process holds a permit, `gate:<queue>:<class>`. Its acting master polls; the other
/// processes make no queue call while the holder's gate is closed. When it opens, the holder posts that beside its
/// permit, and the others read it at the next tick of their timer, one for all queues and classes of a process. No poll
/// waits for the semaphore: what is posted is posted by a task apart.
///
/// Within a process the rules are those of [`MasterGate`](queue_core::MasterGate). A process that finds the queue empty
/// while the holder's gate is open closes its own; the next opening opens it again, and while the gate is open every
/// tick in which the holder had a full receive is one.
///
/// # How long what takes
///
/// With the [options](ClusterOptions) as they are:
///
/// | what | until | at most |
/// | --- | --- | --- |
/// | the holder's gate opens | all processes poll | one interval (2 s); two if it opened in the interval before |
/// | the holder stops, drops its gate | another one polls | one interval (2 s) |
/// | the holder is killed | another one polls | the lease and one interval (32 s) |
/// | the holder's polls hang, or wait for busy handlers | another one polls | the patience and two intervals (34 s) |
/// | the semaphore is down | the holder polls on, alone | the lease and one call (32 s), while it polls as holder |
/// | the semaphore is down, and the holder dead | all poll, each for itself | the lease and two intervals (34 s) |
///
/// While the semaphore does not answer, each process polls for itself (G8), says so in the log, and counts it. When it
/// answers again, one of them is holder at the next tick.
///
/// # What it costs
///
/// In an hour, idle, with `B` processes: 180 receives for each class, as one process makes. To the semaphore: 360
/// renewals for each class, by its holder; and 1,800 looks by each process that follows in at least one class, however
/// many they are. While a class is busy its holder publishes up to twice in an interval, which renews too.
/// [`calls`](Self::calls) counts all but renewals.
///
/// # Guarantees
/// G1 to G5, G7 to G10 for its gates. Two masters for a moment cost calls and nothing else.
///
/// # Drop
/// When it and its gates are dropped, its permits are released by tasks that are there already; [`stop`](Self::stop)
/// waits for that.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use queue_core::{Context, MemoryQueue, Message};
/// use semaphore::MemorySemaphore;
/// use worker::{Cluster, Receiver, WorkerClass};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// # let queue = MemoryQueue::new();
/// let cluster = Cluster::new(MemorySemaphore::new()); // one in a database, in earnest
/// let running = Receiver::builder(queue)
///     .pollers(WorkerClass::MAIN, 10)
///     .gate(cluster.gate("visscore_main_x"))
///     .handler(async |_: Message, _: Context| {})
///     .start();
/// # tokio::time::sleep(Duration::from_secs(50)).await;
/// running.stop(Duration::from_secs(20)).await;
/// cluster.stop().await; // another process goes on at its next tick
/// # }
/// ```
#[derive(Clone)]
pub struct Cluster {
    inner: Arc<Inner>,
}

struct Inner {
    shared: Arc<Shared>,
    /// Ends the tasks with the last handle and gate.
    _stop: DropGuard,
}

impl Cluster {
    /// Joins the cluster of all processes that use this semaphore. Nothing is asked before a worker comes to a gate.
    pub fn new(semaphore: impl Semaphore + Holders + 'static) -> Self {
        Self::with_options(semaphore, ClusterOptions::default())
    }

    /// The same with options.
    pub fn with_options(semaphore: impl Semaphore + Holders + 'static, options: ClusterOptions) -> Self {
        let shared = Arc::new(Shared::new(Arc::new(semaphore), options));
        let stop = shared.stop.clone().drop_guard();
        Self { inner: Arc::new(Inner { shared, _stop: stop }) }
    }

    /// Makes the gate of a queue, for [`ReceiverBuilder::gate`](crate::ReceiverBuilder::gate). All processes name the
    /// queue alike. In one process a queue has one gate: a second would be as another process to it.
    ///
    /// # Panics
    /// If the name is no part of a [`SemaphoreKey`](semaphore::SemaphoreKey): printable ASCII, 245 bytes at most.
    pub fn gate(&self, queue: impl Into<String>) -> ClusterGate {
        ClusterGate::new(self.clone(), queue.into())
    }

    /// The calls that this process has made to the semaphore (G10).
    pub fn calls(&self) -> ClusterCalls {
        self.shared().calls.read()
    }

    /// Leaves the cluster: releases the permits that this process holds, and waits until that is done or each call's
    /// deadline has passed. Stop the receivers first: those that still run poll for themselves from now on.
    ///
    /// # Cancel safety
    /// Safe: a dropped call leaves the cluster all the same, and waits for nothing.
    pub async fn stop(&self) {
        self.shared().stop.cancel();
        self.shared().tasks.close();
        self.shared().tasks.wait().await;
    }

    fn shared(&self) -> &Arc<Shared> {
        &self.inner.shared
    }
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster").field("calls", &self.calls()).finish_non_exhaustive()
    }
}
