//! A decorator that lets fewer messages into a call than the queue takes.

use async_trait::async_trait;
use queue_core::{
    Consumer, Delivery, Limits, MessageId, Outgoing, Publisher, QueueError, ReceiveLimits, ReceiveOptions,
    Rejected,
};

/// A queue whose calls take `batch` messages at most: with one, what the original paid.
#[derive(Clone, Debug)]
pub(crate) struct Cut<Q> {
    queue: Q,
    batch: usize,
}

impl<Q> Cut<Q> {
    pub(crate) fn new(queue: Q, batch: usize) -> Self {
        Self { queue, batch }
    }
}

#[async_trait]
impl<Q: Publisher> Publisher for Cut<Q> {
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        self.queue.publish(batch).await
    }

    fn limits(&self) -> Limits {
        let limits = self.queue.limits();
        let batch = limits.batch.min(self.batch);
        limits.with_batch(batch)
    }
}

#[async_trait]
impl<Q: Consumer> Consumer for Cut<Q> {
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        self.queue.receive(options).await
    }

    fn receive_limits(&self) -> ReceiveLimits {
        let limits = self.queue.receive_limits();
        let batch = limits.batch.min(self.batch);
        limits.with_batch(batch)
    }
}
