//! A test server with a dead-letter queue and the queue that it belongs to.

use std::time::Duration;

use queue_core::{Consumer, Inspect, Message, MessageId, Outgoing, PublisherExt, ReceiveOptions};
use queue_sqs::{SqsQueue, SqsQueueSettings};
use testkit::server::SqsServer;

use crate::client::client;

pub(crate) struct World {
    pub(crate) server: SqsServer,
    pub(crate) dead: SqsQueue,
    /// What fails once in here goes to `dead`.
    pub(crate) queue: SqsQueue,
}

impl World {
    pub(crate) async fn start(ordered: bool) -> Self {
        let server = SqsServer::start().await.unwrap();
        let (dead, queue) = if ordered { ("dead.fifo", "visits.fifo") } else { ("dead", "visits") };
        let dead = create(&server, dead, SqsQueueSettings::new()).await;
        let settings = SqsQueueSettings::new().with_dead_letter(&dead, 1);
        let queue = create(&server, queue, settings).await;
        Self { server, dead, queue }
    }

    pub(crate) async fn queue(&self, name: &str) -> SqsQueue {
        create(&self.server, name, SqsQueueSettings::new()).await
    }

    /// Lets messages `0/0` to `<groups>/<each>` fail in the queue, so that they come to the dead-letter queue. Answers their
    /// ids.
    pub(crate) async fn bury(&self, groups: usize, each: usize) -> Vec<MessageId> {
        let ordered = self.queue.limits_ordered();
        let numbers = (0..each).flat_map(|number| (0..groups).map(move |group| (group, number)));
        let messages = numbers.map(|(group, number)| message(group, number, ordered)).collect();
        let ids = self.queue.publish_all(messages).await.into_iter().map(Result::unwrap).collect();
        // While a group has messages in flight, the others of it don't come.
        while !drain_with(&self.queue, |_| false).await.is_empty() {
            self.server.advance(Duration::from_mins(1));
        }
        let buried = self.dead.depth().await.unwrap().visible;
        assert_eq!(usize::try_from(buried).unwrap(), groups * each);
        ids
    }
}

/// Whether a queue is a FIFO queue, by its limits.
pub(crate) trait Ordered {
    fn limits_ordered(&self) -> bool;
}

impl Ordered for SqsQueue {
    fn limits_ordered(&self) -> bool {
        queue_core::Publisher::limits(self).ordered
    }
}

async fn create(server: &SqsServer, name: &str, settings: SqsQueueSettings) -> SqsQueue {
    SqsQueue::builder(client(server.endpoint_url())).name(name).create(settings).build().await.unwrap()
}

/// Message `number` of `group`.
pub(crate) fn message(group: usize, number: usize, ordered: bool) -> Outgoing {
    let message = Outgoing::new(format!("{group}/{number}"))
        .with_group_key(format!("g{group}"))
        .with_attribute("type", "visit")
        .with_attribute("picture", queue_core::AttributeValue::binary([0, 255]).with_label("png"));
    if ordered { message.with_deduplication_id(format!("{group}-{number}")) } else { message }
}

/// Takes all that is visible.
pub(crate) async fn drain(queue: &SqsQueue) -> Vec<Message> {
    drain_with(queue, |_| true).await
}

/// Takes all that is visible, and deletes what `delete` says. What it doesn't say stays hidden for a minute.
async fn drain_with(queue: &SqsQueue, delete: impl Fn(&Message) -> bool) -> Vec<Message> {
    let mut all = Vec::new();
    let options =
        || ReceiveOptions::new(10).with_wait(Duration::ZERO).with_visibility(Duration::from_mins(1));
    let mut empty = 0;
    while empty < 2 {
        let received = queue.receive(options()).await.unwrap();
        empty = if received.is_empty() { empty + 1 } else { 0 };
        for delivery in received {
            all.push(delivery.message().clone());
            if delete(delivery.message()) {
                delivery.ack().await.unwrap();
            } else {
                delivery.forget();
            }
        }
    }
    all
}

/// The numbers of a group's messages, in the order in which they came.
pub(crate) fn order(messages: &[Message], group: usize) -> Vec<usize> {
    let prefix = format!("{group}/");
    messages.iter().filter_map(|message| message.body().strip_prefix(&prefix)?.parse().ok()).collect()
}
