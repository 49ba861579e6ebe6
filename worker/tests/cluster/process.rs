//! A process of a cluster: a receiver with ten workers behind its gate, over a queue that all share.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use queue_core::{
    Context, MemoryQueue, Message, Outgoing, PollGate, PublisherExt, Turn, WorkerClass, WorkerName,
};
use testkit::{CallKind, Fault, Faulty};
use tokio::time::{Instant, sleep};
use worker::{Cluster, ClusterGate, Receiver, Running, Standing, handler};

use crate::store::Store;
use crate::wire::{State, Wire};

pub(crate) fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(crate) fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

pub(crate) fn hours(hours: u64) -> Duration {
    Duration::from_hours(hours)
}

/// When which message was begun.
pub(crate) type Handled = Arc<Mutex<Vec<Instant>>>;

/// A gate that notes when it gives a turn. The poll may begin later, as it needs room.
#[derive(Debug)]
struct Noting {
    gate: ClusterGate,
    turns: Arc<Mutex<Vec<Instant>>>,
}

#[async_trait]
impl PollGate for Noting {
    async fn enter(&self, who: &WorkerName) -> Turn {
        let turn = self.gate.enter(who).await;
        self.turns.lock().unwrap().push(Instant::now());
        turn
    }
}

/// A process of a cluster.
pub(crate) struct Process {
    pub(crate) wire: Wire,
    pub(crate) cluster: Cluster,
    pub(crate) gate: ClusterGate,
    pub(crate) handled: Handled,
    turns: Arc<Mutex<Vec<Instant>>>,
    queue: Faulty<MemoryQueue>,
    running: Mutex<Option<Running>>,
}

async fn take((handled, length): (Handled, Duration), _: Message, _: Context) {
    handled.lock().unwrap().push(Instant::now());
    sleep(length).await;
}

impl Process {
    /// One with ten workers of class main, and handlers that take `length`.
    pub(crate) fn start(store: &Store, queue: &MemoryQueue, length: Duration) -> Self {
        Self::with(store, queue, &[WorkerClass::MAIN], length)
    }

    /// One with ten workers of each class.
    pub(crate) fn with(
        store: &Store,
        queue: &MemoryQueue,
        classes: &[WorkerClass],
        length: Duration,
    ) -> Self {
        let wire = Wire::to(store);
        let cluster = Cluster::new(wire.clone());
        let (gate, handled) = (cluster.gate("orders"), Handled::default());
        let queue = Faulty::new(queue.clone(), |_, _| Fault::None);
        let turns = Arc::default();
        let noting = Noting { gate: gate.clone(), turns: Arc::clone(&turns) };
        let builder = Receiver::builder(queue.clone()).gate(noting);
        let builder = classes.iter().fold(builder, |builder, class| builder.pollers(class.clone(), 10));
        let running = builder.handler(handler(take).with((Arc::clone(&handled), length))).start();
        Self { wire, cluster, gate, handled, turns, queue, running: Mutex::new(Some(running)) }
    }

    /// When it has polled.
    pub(crate) fn receives(&self) -> Vec<Instant> {
        self.queue.calls_of(CallKind::Receive).iter().map(|call| call.at).collect()
    }

    pub(crate) fn receives_since(&self, since: Instant) -> usize {
        self.receives().iter().filter(|at| **at > since).count()
    }

    pub(crate) fn turns_since(&self, since: Instant) -> usize {
        self.turns.lock().unwrap().iter().rev().take_while(|at| **at > since).count()
    }

    pub(crate) fn last_turn(&self) -> Option<Instant> {
        self.turns.lock().unwrap().last().copied()
    }

    pub(crate) fn count(&self) -> usize {
        self.handled.lock().unwrap().len()
    }

    pub(crate) fn standing(&self) -> Standing {
        self.gate.standing(&WorkerClass::MAIN)
    }

    /// Ends it as a kill does: nothing that it still says arrives.
    pub(crate) fn kill(&self) {
        self.wire.is_now(State::Hung);
        self.leave();
    }

    /// Drops its receiver, and nothing else.
    pub(crate) fn leave(&self) {
        *self.running.lock().unwrap() = None;
    }

    /// Ends it as a service does.
    pub(crate) async fn stop(&self) {
        let running = self.running.lock().unwrap().take().unwrap();
        running.stop(secs(20)).await;
        self.cluster.stop().await;
    }
}

/// So many processes, and the queue and the database that they share.
pub(crate) struct House {
    pub(crate) store: Store,
    pub(crate) queue: MemoryQueue,
    pub(crate) processes: Vec<Process>,
}

impl House {
    pub(crate) fn of(count: usize) -> Self {
        Self::handling(count, Duration::ZERO)
    }

    /// One where a message takes `length` to handle.
    pub(crate) fn handling(count: usize, length: Duration) -> Self {
        let (store, queue) = (Store::default(), MemoryQueue::new());
        let processes = (0..count).map(|_| Process::start(&store, &queue, length)).collect();
        Self { store, queue, processes }
    }

    /// The number of the one process that holds the permit, by what they think.
    pub(crate) fn holder(&self) -> usize {
        let held = |process: &Process| process.standing() == Standing::Holder;
        let mut holders = (0..self.processes.len()).filter(|number| held(&self.processes[*number]));
        let holder = holders.next().unwrap();
        assert_eq!(holders.next(), None, "one holds it");
        holder
    }

    pub(crate) async fn publish(&self, count: usize) {
        let messages = (0..count).map(|number| Outgoing::new(number.to_string())).collect();
        for answer in self.queue.publish_all(messages).await {
            answer.unwrap();
        }
    }

    pub(crate) fn receives_since(&self, since: Instant) -> usize {
        self.processes.iter().map(|process| process.receives_since(since)).sum()
    }

    /// Checks that the processes poll as one does, for ten polls.
    pub(crate) async fn is_quiet(&self) {
        let since = Instant::now();
        sleep(secs(200)).await;
        assert_eq!(self.receives_since(since), 10, "one poll every 20 s");
    }

    pub(crate) fn standings(&self) -> Vec<Standing> {
        self.processes.iter().map(Process::standing).collect()
    }

    pub(crate) fn context(&self) -> String {
        self.store.context("gate:orders:main").unwrap()
    }
}
