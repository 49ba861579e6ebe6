//! A server with queues, and handlers that note.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use queue_core::{Context, Depth, Inspect, Message, Outgoing, Publisher, PublisherExt};
use queue_sqs::{SqsQueue, SqsQueueSettings};
use testkit::server::{Fault, FaultScript, Rule, SqsServer};
use tokio::time::{Instant, sleep};

use crate::client::client;

/// How often each body was handled, and as which delivery.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen(Arc<Mutex<Vec<(String, u32)>>>);

impl Seen {
    pub(crate) fn note(&self, context: &Context) {
        let message = context.message();
        self.0.lock().unwrap().push((message.body().to_owned(), message.receive_count()));
    }

    pub(crate) fn bodies(&self) -> Vec<String> {
        self.0.lock().unwrap().iter().map(|(body, _)| body.clone()).collect()
    }

    pub(crate) fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

/// Handles by noting.
pub(crate) async fn note(seen: Seen, _message: Message, context: Context) {
    seen.note(&context);
}

pub(crate) async fn server() -> SqsServer {
    SqsServer::start().await.unwrap()
}

/// A queue of that name whose messages stay hidden for so many seconds.
pub(crate) async fn queue(server: &SqsServer, name: &str, visibility: u64) -> SqsQueue {
    let settings = SqsQueueSettings::new().with_visibility(Duration::from_secs(visibility));
    let builder = SqsQueue::builder(client(server.endpoint_url())).name(name).create(settings);
    builder.build().await.unwrap()
}

/// The same, whose calls are given up soon.
pub(crate) async fn hasty(server: &SqsServer, name: &str, visibility: u64) -> SqsQueue {
    let found = queue(server, name, visibility).await;
    let assumed = SqsQueueSettings::new().with_visibility(Duration::from_secs(visibility));
    let builder = SqsQueue::builder(client(server.endpoint_url())).url(found.url()).assume(assumed);
    builder.receive_margin(ms(500)).call_timeout(ms(500)).build().await.unwrap()
}

/// Lets the first so many calls of `operation` go wrong.
pub(crate) fn first(operation: &str, times: u64, fault: Fault) -> FaultScript {
    FaultScript::new([Rule::new(fault).with_operation(operation).with_times(times)])
}

pub(crate) async fn publish(queue: &impl Publisher, count: usize) {
    let messages = (0..count).map(|number| Outgoing::new(number.to_string())).collect();
    for answer in queue.publish_all(messages).await {
        answer.unwrap();
    }
}

/// Waits until `done`, for a minute at most.
pub(crate) async fn until(what: &str, mut done: impl FnMut() -> bool) {
    let last = Instant::now() + Duration::from_mins(1);
    while !done() {
        assert!(Instant::now() < last, "{what} did not come true");
        sleep(ms(10)).await;
    }
}

pub(crate) async fn depth(queue: &SqsQueue) -> Depth {
    queue.depth().await.unwrap()
}

pub(crate) const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}
