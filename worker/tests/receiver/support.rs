//! Queues, and handlers that count.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use queue_core::{Context, MemoryQueue, Message, Outgoing, Publisher, PublisherExt, Verdict};
use tokio::time::{Instant, sleep};

pub(crate) use testkit::{CallKind, Fault, Faulty};

/// How often each body was handled, when, and in which order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen(Arc<Mutex<Vec<(String, u32, Instant)>>>);

impl Seen {
    pub(crate) fn note(&self, context: &Context) {
        let message = context.message();
        self.0.lock().unwrap().push((message.body().to_owned(), message.receive_count(), Instant::now()));
    }

    pub(crate) fn all(&self) -> Vec<(String, u32, Instant)> {
        self.0.lock().unwrap().clone()
    }

    pub(crate) fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

/// Handles by noting.
pub(crate) async fn note(seen: Seen, _message: Message, context: Context) {
    seen.note(&context);
}

/// Handles by noting and taking a second.
pub(crate) async fn take_a_second(seen: Seen, _message: Message, context: Context) {
    seen.note(&context);
    sleep(seconds(1)).await;
}

/// Always fails.
pub(crate) async fn fail(seen: Seen, _message: Message, context: Context) -> Result<(), Verdict> {
    seen.note(&context);
    Err(Verdict::retry("it always fails"))
}

pub(crate) fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A memory queue with that visibility timeout, in seconds.
pub(crate) fn queue(visibility: u64) -> MemoryQueue {
    MemoryQueue::builder().visibility(seconds(visibility)).build().unwrap()
}

pub(crate) async fn publish(queue: &impl Publisher, count: usize) {
    let messages = (0..count).map(|number| Outgoing::new(number.to_string())).collect();
    for answer in queue.publish_all(messages).await {
        answer.unwrap();
    }
}
