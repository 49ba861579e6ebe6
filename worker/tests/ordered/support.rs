//! Ordered queues, and handlers that keep a journal.

use std::time::Duration;

use queue_core::{Context, MemoryQueue, Message, Outgoing, Publisher, PublisherExt, Verdict};
use tokio::time::sleep;
use worker::Backoff;

use crate::journal::{Event, Journal};

pub(crate) fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(crate) fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// An ordered queue with a visibility timeout of 30 s.
pub(crate) fn fifo() -> MemoryQueue {
    MemoryQueue::builder().ordered().build().unwrap()
}

/// A message whose group is the first letter of its body, and whose deduplication id is its body.
pub(crate) fn outgoing(body: &str) -> Outgoing {
    Outgoing::new(body).with_group_key(&body[..1]).with_deduplication_id(body)
}

/// Publishes the words of `bodies`.
pub(crate) async fn send(queue: &impl Publisher, bodies: &str) {
    let messages = bodies.split(' ').map(outgoing).collect();
    for answer in queue.publish_all(messages).await {
        answer.unwrap();
    }
}

/// Publishes so many messages of one group, numbered from 1.
pub(crate) async fn send_group(queue: &impl Publisher, group: &str, count: usize) {
    let bodies: Vec<_> = (1..=count).map(|number| format!("{group}{number}")).collect();
    send(queue, &bodies.join(" ")).await;
}

/// Always the same back-off.
pub(crate) fn backoff(delay: Duration) -> Backoff {
    Backoff::by(move |_| delay).with_jitter(0.0)
}

/// What a handler does.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) journal: Journal,
    pub(crate) takes: Duration,
    /// A message that fails, and how often.
    pub(crate) fails: (&'static str, usize),
}

impl Plan {
    /// Takes 10 ms for each message and never fails.
    pub(crate) fn new() -> Self {
        Self { journal: Journal::new(), takes: millis(10), fails: ("", 0) }
    }

    pub(crate) fn takes(mut self, takes: Duration) -> Self {
        self.takes = takes;
        self
    }

    pub(crate) fn fails(mut self, body: &'static str, times: usize) -> Self {
        self.fails = (body, times);
        self
    }
}

/// Handles by the plan.
pub(crate) async fn by_plan(plan: Plan, message: Message, context: Context) -> Result<(), Verdict> {
    let (body, count) = (message.body(), context.message().receive_count());
    plan.journal.note(body, count, Event::Started);
    sleep(plan.takes).await;
    if plan.fails.0 == body && plan.journal.tries(body) <= plan.fails.1 {
        plan.journal.note(body, count, Event::Failed);
        return Err(Verdict::retry("by plan"));
    }
    plan.journal.note(body, count, Event::Done);
    Ok(())
}
