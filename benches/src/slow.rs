//! A queue whose calls take their time, as those over a network do.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use queue_core::{
    Consumer, Delivery, Limits, MessageId, Outgoing, Publisher, QueueError, Receipt, ReceiveLimits,
    ReceiveOptions, Rejected, Settler, async_trait,
};
use tokio::time::sleep;

/// How long a call takes, by its number.
pub type Latency = fn(u64) -> Duration;

/// Delays each call to a queue, half on its way there and half on its way back.
///
/// # Cancel safety
/// As the queue's own, but lossy on the way back.
#[derive(Clone, Debug)]
pub struct Slow<Q> {
    queue: Q,
    wire: Wire,
}

/// What lies between a caller and the queue.
#[derive(Clone, Debug)]
struct Wire {
    latency: Latency,
    calls: Arc<AtomicU64>,
}

impl<Q> Slow<Q> {
    /// Puts a wire in front of `queue`.
    pub fn new(queue: Q, latency: Latency) -> Self {
        Self { queue, wire: Wire { latency, calls: Arc::default() } }
    }
}

impl Wire {
    async fn around<T>(&self, call: impl Future<Output = T>) -> T {
        let half = (self.latency)(self.calls.fetch_add(1, Ordering::Relaxed)) / 2;
        sleep(half).await;
        let answer = call.await;
        sleep(half).await;
        answer
    }
}

#[async_trait]
impl<Q: Publisher> Publisher for Slow<Q> {
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        self.wire.around(self.queue.publish(batch)).await
    }

    fn limits(&self) -> Limits {
        self.queue.limits()
    }
}

#[async_trait]
impl<Q: Consumer> Consumer for Slow<Q> {
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        let deliveries = self.wire.around(self.queue.receive(options)).await?;
        let front = |delivery: Delivery| {
            delivery.map_settler(|behind| Arc::new(SlowSettler { behind, wire: self.wire.clone() }))
        };
        Ok(deliveries.into_iter().map(front).collect())
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.queue.receive_limits()
    }
}

/// The settler of one delivery, behind the same wire.
#[derive(Debug)]
struct SlowSettler {
    behind: Arc<dyn Settler>,
    wire: Wire,
}

#[async_trait]
impl Settler for SlowSettler {
    async fn delete(&self, batch: Vec<Receipt>) -> Vec<Result<(), QueueError>> {
        self.wire.around(self.behind.delete(batch)).await
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Vec<Result<(), QueueError>> {
        self.wire.around(self.behind.change_visibility(batch)).await
    }

    fn abandon(&self, receipt: Receipt) {
        self.behind.abandon(receipt);
    }
}
