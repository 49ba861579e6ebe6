//! A backend that notes each call, takes its time, and answers as it is told.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::{Instant, sleep};

use crate::{
    Consumer, Delivery, Limits, Message, MessageId, Outgoing, Publisher, QueueError, Receipt, ReceiveLimits,
    ReceiveOptions, Rejected, Settler,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Publish,
    Delete,
    Change,
}

/// One call: the bodies or receipts it carried, and when it began.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) operation: Operation,
    pub(super) entries: Vec<String>,
    pub(super) at: Instant,
}

pub(super) type Answers = Vec<Result<(), QueueError>>;
type Behaviour = dyn Fn(usize, &Call) -> Answers + Send + Sync;

/// Cheap to clone; all clones are one backend.
#[derive(Clone)]
pub(super) struct Backend {
    calls: Arc<Mutex<Vec<Call>>>,
    latency: fn(usize) -> Duration,
    behaviour: Arc<Behaviour>,
    limits: Limits,
    received: Arc<AtomicUsize>,
    abandoned: Arc<AtomicUsize>,
    running: Arc<AtomicUsize>,
    most_running: Arc<AtomicUsize>,
}

impl Backend {
    /// Answers at once, and everything succeeds.
    pub(super) fn new() -> Self {
        Self {
            calls: Arc::default(),
            latency: |_| Duration::ZERO,
            behaviour: Arc::new(|_, call| all_well(call)),
            limits: Limits::default(),
            received: Arc::default(),
            abandoned: Arc::default(),
            running: Arc::default(),
            most_running: Arc::default(),
        }
    }

    /// The call of this number, counted from 0, takes so long.
    pub(super) fn with_latency(mut self, latency: fn(usize) -> Duration) -> Self {
        self.latency = latency;
        self
    }

    /// The call of this number is answered so.
    pub(super) fn answering(
        mut self,
        behaviour: impl Fn(usize, &Call) -> Answers + Send + Sync + 'static,
    ) -> Self {
        self.behaviour = Arc::new(behaviour);
        self
    }

    pub(super) fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    pub(super) fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    /// How many entries each call of an operation carried.
    pub(super) fn sizes(&self, operation: Operation) -> Vec<usize> {
        self.calls()
            .iter()
            .filter(|call| call.operation == operation)
            .map(|call| call.entries.len())
            .collect()
    }

    pub(super) fn abandoned(&self) -> usize {
        self.abandoned.load(SeqCst)
    }

    /// The most calls that were in flight at a time.
    pub(super) fn most_running(&self) -> usize {
        self.most_running.load(SeqCst)
    }

    async fn call(&self, operation: Operation, entries: Vec<String>) -> Answers {
        let call = Call { operation, entries, at: Instant::now() };
        let number = {
            let mut calls = self.calls.lock().unwrap();
            calls.push(call.clone());
            calls.len() - 1
        };
        self.most_running.fetch_max(self.running.fetch_add(1, SeqCst) + 1, SeqCst);
        let latency = (self.latency)(number);
        if !latency.is_zero() {
            sleep(latency).await;
        }
        self.running.fetch_sub(1, SeqCst);
        (self.behaviour)(number, &call)
    }
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Backend")
    }
}

pub(super) fn all_well(call: &Call) -> Answers {
    call.entries.iter().map(|_| Ok(())).collect()
}

/// The id that a message with this body gets.
pub(super) fn id_of(body: &str) -> MessageId {
    MessageId::new(format!("id of {body}"))
}

#[async_trait]
impl Publisher for Backend {
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        let bodies = batch.iter().map(|message| message.body().to_owned()).collect();
        let answers = self.call(Operation::Publish, bodies).await;
        let mut messages = batch.into_iter();
        let surplus = || Outgoing::new("surplus");
        answers
            .into_iter()
            .map(|answer| {
                let message = messages.next().unwrap_or_else(surplus);
                let id = id_of(message.body());
                answer.map(|()| id).map_err(|error| Rejected::new(message, error))
            })
            .collect()
    }

    fn limits(&self) -> Limits {
        self.limits.clone()
    }
}

#[async_trait]
impl Consumer for Backend {
    /// Never runs dry; each delivery has a settler of its own.
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        let deliver = |_| {
            let name = format!("m{}", self.received.fetch_add(1, SeqCst));
            let message = Message::new(MessageId::new(name.clone()), name.clone());
            Delivery::new(message, Receipt::new(name), Arc::new(self.clone()))
        };
        Ok((0..options.max_messages).map(deliver).collect())
    }

    fn receive_limits(&self) -> ReceiveLimits {
        ReceiveLimits::default().with_batch(self.limits.batch).with_ordered(self.limits.ordered)
    }
}

#[async_trait]
impl Settler for Backend {
    async fn delete(&self, batch: Vec<Receipt>) -> Answers {
        self.call(Operation::Delete, batch.iter().map(|receipt| receipt.as_str().to_owned()).collect()).await
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Answers {
        self.call(Operation::Change, batch.iter().map(|(receipt, _)| receipt.as_str().to_owned()).collect())
            .await
    }

    fn abandon(&self, _receipt: Receipt) {
        self.abandoned.fetch_add(1, SeqCst);
    }
}
