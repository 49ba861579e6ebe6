//! How a receiver is set up.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{
    CancellationToken, Coalesced, MasterGate, PollGate, Publisher, ReceiveOptions, WorkerClass, WorkerName,
};

use crate::Backoff;

/// What a [`ReceiverBuilder`](super::ReceiverBuilder) collects.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) name: String,
    /// The messaging system, for spans.
    pub(crate) system: String,
    /// Pollers by class, in the order they were named.
    pub(crate) pollers: Vec<(WorkerClass, usize)>,
    pub(crate) slots: Option<usize>,
    pub(crate) batch: Option<usize>,
    pub(crate) wait: Duration,
    pub(crate) visibility: Option<Duration>,
    pub(crate) prefetch: Option<usize>,
    pub(crate) gate: Arc<dyn PollGate>,
    pub(crate) backoff: Backoff,
    pub(crate) attempts: Option<u32>,
    pub(crate) deadline: Option<Duration>,
    pub(crate) call_margin: Duration,
    /// Receives that fail for longer make the receiver unhealthy.
    pub(crate) unhealthy_after: Duration,
    pub(crate) linger: Duration,
    pub(crate) retry_queue: Option<Arc<dyn Publisher>>,
    pub(crate) dead_letter: Option<Arc<dyn Publisher>>,
    pub(crate) stop: CancellationToken,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            name: "queue".to_owned(),
            system: "unknown".to_owned(),
            pollers: Vec::new(),
            slots: None,
            batch: None,
            wait: ReceiveOptions::DEFAULT_WAIT,
            visibility: None,
            prefetch: None,
            gate: Arc::new(MasterGate::new()),
            backoff: Backoff::default(),
            attempts: None,
            deadline: None,
            call_margin: Duration::from_secs(5),
            unhealthy_after: Duration::from_mins(1),
            linger: Duration::from_millis(50),
            retry_queue: None,
            dead_letter: None,
            stop: CancellationToken::new(),
        }
    }
}

impl Settings {
    /// The pollers by class; one of class main if none were named.
    pub(crate) fn pollers(&self) -> Vec<(WorkerClass, usize)> {
        if self.pollers.is_empty() { vec![(WorkerClass::MAIN, 1)] } else { self.pollers.clone() }
    }

    /// The names of all pollers.
    pub(crate) fn names(&self) -> impl Iterator<Item = WorkerName> {
        self.pollers().into_iter().flat_map(|(class, count)| {
            (0..).take(count).map(move |number| WorkerName::new(class.clone(), number))
        })
    }

    /// How many handlers run at once; as many as there are pollers unless set.
    pub(crate) fn slots(&self) -> usize {
        self.slots.unwrap_or_else(|| self.pollers().iter().map(|(_, count)| count).sum())
    }

    /// Lets messages on their way to another queue go in company.
    pub(crate) fn gather(mut self) -> Self {
        let deadline = self.call_margin;
        let gather = |queue| Arc::new(Coalesced::new(queue).with_deadline(deadline)) as Arc<dyn Publisher>;
        self.retry_queue = self.retry_queue.map(gather);
        self.dead_letter = self.dead_letter.map(gather);
        self
    }
}
