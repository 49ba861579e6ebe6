//! A decorator that counts every call that goes through it.

mod advice;
mod calls;
mod meter;
mod prices;
mod settler;

use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    Consumer, Delivery, Depth, Inspect, Limits, MessageId, Outgoing, Publisher, QueueError, ReceiveLimits,
    ReceiveOptions, Rejected,
};
use settler::MeteredSettler;

pub use calls::Calls;
pub use meter::Meter;
pub use prices::Prices;

/// Counts the calls to a queue by operation, with what they brought and what they cost (G10).
///
/// It stands where the calls are to be counted: `Coalesced<Metered<Q>>` counts the calls of the service, after many
/// have become one; `Metered<Coalesced<Q>>` counts what the callers asked for. It changes no answer and no limit.
///
/// # When a call counts
/// A call counts when it is *started*, so that a long poll which is still waiting, or was dropped, is seen: the
/// service bills it either way. What it brought is added when it ends. So the receives of a span of time are those
/// begun in it: read a second before the hour is over, a poller that waits 20 s has begun 180; at the stroke
/// of the hour it is a matter of chance whether the 181st has.
///
/// # Guarantees
/// G10; Q12: deliveries dropped unsettled are counted as `abandoned` and passed on.
///
/// # Cancel safety
/// Each call is as safe as the queue's own. A dropped call stays counted; what it did or brought is not known.
///
/// # Examples
/// ```
/// use queue_core::{MemoryQueue, Metered, Outgoing, Prices, PublisherExt};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let queue = Metered::new(MemoryQueue::new());
/// let before = queue.meter().calls();
/// queue.publish_all(vec![Outgoing::new("a visit"); 25]).await;
/// let made = queue.meter().calls() - before;
/// assert_eq!((made.publish, made.published), (3, 25));
/// println!("${:.7}", Prices::standard().of(&made));        // $0.0000012
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Metered<Q> {
    queue: Q,
    meter: Meter,
}

impl<Q> Metered<Q> {
    /// Counts the calls to `queue` on a meter of its own.
    pub fn new(queue: Q) -> Self {
        Self::with_meter(queue, Meter::new())
    }

    /// Counts the calls to `queue` on `meter`, which others may share.
    pub fn with_meter(queue: Q, meter: Meter) -> Self {
        Self { queue, meter }
    }

    /// The meter, which can be read at any time, and outlives the queue.
    pub fn meter(&self) -> Meter {
        self.meter.clone()
    }

    /// The queue behind it; calls made there are not counted.
    pub fn queue(&self) -> &Q {
        &self.queue
    }

    fn watch(&self, delivery: Delivery) -> Delivery {
        delivery.map_settler(|inner| Arc::new(MeteredSettler::new(inner, self.meter.clone())))
    }

    fn inspected<T>(&self, answer: &Result<T, QueueError>) {
        self.meter.note(|calls| calls.failed_inspect += u64::from(answer.is_err()));
    }
}

#[async_trait]
impl<Q: Publisher> Publisher for Metered<Q> {
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        let bytes = batch.iter().map(Outgoing::size).sum();
        self.meter.note(|calls| calls.publish_started(bytes));
        let answers = self.queue.publish(batch).await;
        self.meter.note(|calls| calls.publish_ended(&answers));
        answers
    }

    fn limits(&self) -> Limits {
        self.queue.limits()
    }
}

#[async_trait]
impl<Q: Consumer> Consumer for Metered<Q> {
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        self.meter.note(Calls::receive_started);
        let answer = self.queue.receive(options).await;
        self.meter.note(|calls| calls.receive_ended(&answer));
        Ok(answer?.into_iter().map(|delivery| self.watch(delivery)).collect())
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.queue.receive_limits()
    }
}

#[async_trait]
impl<Q: Inspect> Inspect for Metered<Q> {
    async fn depth(&self) -> Result<Depth, QueueError> {
        self.meter.note(Calls::inspect_started);
        let answer = self.queue.depth().await;
        self.inspected(&answer);
        answer
    }

    async fn purge(&self) -> Result<(), QueueError> {
        self.meter.note(Calls::inspect_started);
        let answer = self.queue.purge().await;
        self.inspected(&answer);
        answer
    }
}

#[cfg(test)]
mod tests;
