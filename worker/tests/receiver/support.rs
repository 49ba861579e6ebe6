//! A queue whose calls can be made to fail, to hang and to take long, and handlers that count.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use queue_core::{
    Consumer, Context, Delivery, Limits, MemoryQueue, Message, MessageId, Outgoing, Publisher, PublisherExt,
    QueueError, Receipt, ReceiveLimits, ReceiveOptions, Rejected, Settler, Verdict,
};
use tokio::time::{Instant, sleep};

/// What happens to one call.
pub(crate) enum Fault {
    /// Nothing: it goes through.
    None,
    /// It fails before it reaches the queue.
    Error(QueueError),
    /// It reaches the queue, and its answer is lost.
    Lost,
    /// It never answers.
    Hang,
    /// It takes that long, then goes through.
    Delay(Duration),
    /// The client panics.
    Panic,
    /// Every entry of the batch answers with this error.
    Entries(QueueError),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Publish,
    Receive,
    Delete,
    Hide,
}

type Script = Box<dyn FnMut(Call, usize) -> Fault + Send>;

/// A memory queue behind a script of faults. The script is given each call and its number among its kind.
#[derive(Clone)]
pub(crate) struct Flaky(Arc<Inner>);

struct Inner {
    queue: MemoryQueue,
    script: Mutex<Script>,
    calls: Mutex<Vec<(Call, usize, Instant)>>,
    visibility: Mutex<Option<Duration>>,
}

impl fmt::Debug for Flaky {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Flaky")
    }
}

impl Flaky {
    pub(crate) fn new(
        queue: &MemoryQueue,
        script: impl FnMut(Call, usize) -> Fault + Send + 'static,
    ) -> Self {
        let queue = queue.clone();
        Self(Arc::new(Inner {
            queue,
            script: Mutex::new(Box::new(script)),
            calls: Mutex::default(),
            visibility: Mutex::default(),
        }))
    }

    /// The calls of a kind so far: how many entries each had, and when it was made.
    pub(crate) fn calls(&self, kind: Call) -> Vec<(usize, Instant)> {
        let calls = self.0.calls.lock().unwrap();
        calls.iter().filter(|(call, ..)| *call == kind).map(|(_, entries, at)| (*entries, *at)).collect()
    }

    /// The visibility timeout that the last receive asked for.
    pub(crate) fn asked_visibility(&self) -> Option<Duration> {
        *self.0.visibility.lock().unwrap()
    }

    /// Plays the script for a call. `Ok(true)`: the answer is to be lost.
    async fn play(&self, kind: Call, entries: usize) -> Result<bool, QueueError> {
        let number = self.calls(kind).len();
        self.0.calls.lock().unwrap().push((kind, entries, Instant::now()));
        let fault = (self.0.script.lock().unwrap())(kind, number);
        match fault {
            Fault::None => Ok(false),
            Fault::Error(error) | Fault::Entries(error) => Err(error),
            Fault::Lost => Ok(true),
            Fault::Hang => std::future::pending().await,
            Fault::Delay(delay) => {
                sleep(delay).await;
                Ok(false)
            }
            Fault::Panic => panic!("the client panics in {kind:?}"),
        }
    }
}

fn lost() -> QueueError {
    QueueError::indeterminate("the answer was lost")
}

#[async_trait]
impl Consumer for Flaky {
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        *self.0.visibility.lock().unwrap() = options.visibility;
        let lose = self.play(Call::Receive, options.max_messages).await?;
        let deliveries = self.0.queue.receive(options).await?;
        if lose {
            return Err(lost());
        }
        let front = |delivery: Delivery| {
            let queue = self.clone();
            delivery.map_settler(|behind| Arc::new(FlakySettler { queue, behind }))
        };
        Ok(deliveries.into_iter().map(front).collect())
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.0.queue.receive_limits()
    }
}

#[async_trait]
impl Publisher for Flaky {
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        match self.play(Call::Publish, batch.len()).await {
            Ok(_) => self.0.queue.publish(batch).await,
            Err(error) => batch.into_iter().map(|entry| Err(Rejected::new(entry, error.clone()))).collect(),
        }
    }

    fn limits(&self) -> Limits {
        self.0.queue.limits()
    }
}

#[derive(Debug)]
struct FlakySettler {
    queue: Flaky,
    behind: Arc<dyn Settler>,
}

impl FlakySettler {
    async fn through<E>(
        &self,
        kind: Call,
        batch: Vec<E>,
        call: impl AsyncFnOnce(Vec<E>) -> Vec<Result<(), QueueError>>,
    ) -> Vec<Result<(), QueueError>> {
        let count = batch.len();
        match self.queue.play(kind, count).await {
            Ok(false) => call(batch).await,
            Ok(true) => {
                call(batch).await;
                vec![Err(lost()); count]
            }
            Err(error) => vec![Err(error); count],
        }
    }
}

#[async_trait]
impl Settler for FlakySettler {
    async fn delete(&self, batch: Vec<Receipt>) -> Vec<Result<(), QueueError>> {
        let behind = Arc::clone(&self.behind);
        self.through(Call::Delete, batch, async move |batch| behind.delete(batch).await).await
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Vec<Result<(), QueueError>> {
        let behind = Arc::clone(&self.behind);
        self.through(Call::Hide, batch, async move |batch| behind.change_visibility(batch).await).await
    }

    fn abandon(&self, receipt: Receipt) {
        self.behind.abandon(receipt);
    }
}

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
