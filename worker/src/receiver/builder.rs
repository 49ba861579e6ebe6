//! Sets up a receiver.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{
    BatchHandler, CancellationToken, Consumer, Handler, Message, PollGate, Publisher, WorkerClass,
};

use super::{Receiver, Settings, Work};
use crate::Backoff;

/// Sets up a [`Receiver`]. Every setting has a default; the handler comes last.
#[derive(Debug)]
#[must_use = "a builder does nothing until its receiver is started"]
pub struct ReceiverBuilder {
    consumer: Arc<dyn Consumer>,
    settings: Settings,
}

impl ReceiverBuilder {
    pub(super) fn new(consumer: Arc<dyn Consumer>) -> Self {
        Self { consumer, settings: Settings::default() }
    }

    /// Names the queue in spans, logs and metrics.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.settings.name = name.into();
        self
    }

    /// Names the messaging system in spans, by the list of `OpenTelemetry`: `aws_sqs`, for instance. `unknown` unless
    /// set.
    pub fn system(mut self, system: impl Into<String>) -> Self {
        self.settings.system = system.into();
        self
    }

    /// Sets how many pollers of a class there are: `worker.<class>.0` and so on. One of class main unless set.
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn pollers(mut self, class: WorkerClass, count: usize) -> Self {
        assert!(count > 0, "pollers({class}, 0): a class needs at least one poller");
        self.settings.pollers.retain(|(known, _)| *known != class);
        self.settings.pollers.push((class, count));
        self
    }

    /// Sets how many handlers run at once; as many as there are pollers unless set.
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn slots(mut self, count: usize) -> Self {
        assert!(count > 0, "slots(0): a receiver needs at least one slot");
        self.settings.slots = Some(count);
        self
    }

    /// Sets how many messages a poll asks for; as many as the queue gives at once unless set, and never more.
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn batch(mut self, count: usize) -> Self {
        assert!(count > 0, "batch(0): a poll asks for at least one message");
        self.settings.batch = Some(count);
        self
    }

    /// Sets how long a poll waits for a message: 20 s unless set, and never longer than the queue allows.
    pub fn wait(mut self, wait: Duration) -> Self {
        self.settings.wait = wait;
        self
    }

    /// Sets the visibility timeout: the queue's own unless set (P9). Renewal extends it by as much.
    ///
    /// # Panics
    /// If it is zero: a message has to stay hidden while it is handled.
    pub fn visibility(mut self, visibility: Duration) -> Self {
        assert!(!visibility.is_zero(), "visibility(0): a message has to stay hidden while it is handled");
        self.settings.visibility = Some(visibility);
        self
    }

    /// Caps how many messages wait for a free slot (W9): one batch per polling poller unless set, and less while
    /// handlers are slow. With 0 a poll asks for what free slots can take and no more.
    pub fn prefetch(mut self, most: usize) -> Self {
        self.settings.prefetch = Some(most);
        self
    }

    /// Sets the gate that stands before the pollers: a [`MasterGate`](queue_core::MasterGate) unless set.
    pub fn gate(mut self, gate: impl PollGate + 'static) -> Self {
        self.settings.gate = Arc::new(gate);
        self
    }

    /// Sets when a failed message becomes visible again (W2).
    pub fn backoff(mut self, backoff: Backoff) -> Self {
        self.settings.backoff = backoff;
        self
    }

    /// Gives a message up after it failed so many times, by its receive count and the tries in place on an ordered
    /// queue: it is discarded. No limit unless set; the queue's own receive limit counts deliveries only.
    ///
    /// # Panics
    /// If `most` is 0.
    pub fn attempts(mut self, most: u32) -> Self {
        assert!(most > 0, "attempts(0): a message is tried at least once");
        self.settings.attempts = Some(most);
        self
    }

    /// Sets how long a handler may run; past it, it is dropped and its message is retried (W4). No limit unless set.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.settings.deadline = Some(deadline);
        self
    }

    /// Sets how long a call to the queue may take beyond its wait before it counts as failed (W8): 5 s unless set.
    pub fn call_margin(mut self, margin: Duration) -> Self {
        self.settings.call_margin = margin;
        self
    }

    /// Sets for how long every receive may fail before [`health`](super::Running::health) says so: 60 s unless set.
    pub fn unhealthy_after(mut self, tolerance: Duration) -> Self {
        self.settings.unhealthy_after = tolerance;
        self
    }

    /// Sets how long a delete waits for others to go with it in one call: 50 ms unless set.
    pub fn linger(mut self, linger: Duration) -> Self {
        self.settings.linger = linger;
        self
    }

    /// Moves failed messages to another queue instead of keeping them: published there, then deleted here (W2). A
    /// kill in between gives a duplicate, never a loss.
    pub fn retry_queue(mut self, queue: impl Publisher + 'static) -> Self {
        self.settings.retry_queue = Some(Arc::new(queue));
        self
    }

    /// Puts a copy of what handlers discard in another queue before it is deleted here (W1). The reason goes with it
    /// as attribute `reason`, where there is room.
    pub fn dead_letter(mut self, queue: impl Publisher + 'static) -> Self {
        self.settings.dead_letter = Some(Arc::new(queue));
        self
    }

    /// Stops when `token` is cancelled too, as [`Running::stop`](super::Running::stop) does; that is awaited all the same.
    pub fn stop_on(mut self, token: &CancellationToken) -> Self {
        self.settings.stop = token.child_token();
        self
    }

    /// Sets the handler.
    pub fn handler(self, handler: impl Handler<Message> + 'static) -> Receiver {
        self.work(Work::each(handler))
    }

    /// Sets a handler that takes up to `most` messages at once: as many as are there when a slot is free; it waits
    /// for no more. With its batch a handler takes one slot.
    ///
    /// # Panics
    /// If `most` is 0.
    pub fn batch_handler(self, most: usize, handler: impl BatchHandler<Message> + 'static) -> Receiver {
        assert!(most > 0, "batch_handler(0, …): a batch has at least one message");
        self.work(Work::batch(most, handler))
    }

    fn work(self, work: Work) -> Receiver {
        Receiver { consumer: self.consumer, settings: self.settings, work }
    }
}
