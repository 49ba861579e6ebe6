//! Sabotage: wrappers around a queue that break one rule, as a plant says.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use queue_core::{
    Consumer, Delivery, Limits, Message, MessageId, Outgoing, Publisher, Queue, QueueError, Receipt,
    ReceiveLimits, ReceiveOptions, Rejected, Settler, async_trait,
};

use crate::handling::{chance, parse};
use crate::plant::Plant;

/// The publishing half.
#[derive(Debug)]
pub(crate) struct Publishing {
    inner: Arc<dyn Queue>,
    drops: bool,
    count: AtomicU64,
}

impl Publishing {
    pub(crate) fn new(inner: Arc<dyn Queue>, plant: Option<Plant>) -> Self {
        Self { inner, drops: plant == Some(Plant::DropOne), count: AtomicU64::new(0) }
    }
}

#[async_trait]
impl Publisher for Publishing {
    async fn publish(&self, mut batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        let dropped = self.drops && self.count.fetch_add(1, Ordering::Relaxed) % 10 == 9;
        let dropped = dropped.then(|| batch.pop()).flatten();
        let mut answers = self.inner.publish(batch).await;
        answers.extend(dropped.map(|_| Ok(MessageId::new("dropped"))));
        answers
    }

    fn limits(&self) -> Limits {
        self.inner.limits()
    }
}

/// The receiving half.
#[derive(Debug)]
pub(crate) struct Receiving {
    inner: Arc<dyn Queue>,
    plant: Plant,
    ordered: bool,
}

impl Receiving {
    pub(crate) fn new(inner: Arc<dyn Queue>, plant: Plant, ordered: bool) -> Self {
        Self { inner, plant, ordered }
    }

    async fn spoil(&self, mut batch: Vec<Delivery>) -> Vec<Delivery> {
        let Some(settler) = batch.first().map(|delivery| Arc::clone(delivery.settler())) else {
            return batch;
        };
        let receipts = batch.iter().map(|delivery| delivery.receipt().clone());
        match self.plant {
            Plant::AckFirst => drop(settler.delete(receipts.collect()).await),
            Plant::Double => {
                let shown = receipts.map(|receipt| (receipt, Duration::ZERO)).collect();
                drop(settler.change_visibility(shown).await);
            }
            Plant::Reorder if self.ordered => batch.reverse(),
            Plant::Phantom if chance(20) == 0 => {
                batch = batch
                    .into_iter()
                    .map(|delivery| delivery.map_message(|message| invented(&message)))
                    .collect();
            }
            Plant::AckFailed => {
                let map = |delivery: Delivery| delivery.map_settler(|inner| Arc::new(AcksFailed(inner)) as _);
                batch = batch.into_iter().map(map).collect();
            }
            _ => {}
        }
        batch
    }
}

fn invented(message: &Message) -> Message {
    let body = parse(message).map(|(key, number)| format!("{key} {}", number + 1_000_000));
    Message::new(message.id().clone(), body.unwrap_or_default())
}

#[async_trait]
impl Consumer for Receiving {
    async fn receive(&self, mut options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        if self.plant == Plant::ShortLease {
            options.visibility = options.visibility.map(|visibility| visibility / 4);
        }
        Ok(self.spoil(self.inner.receive(options).await?).await)
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.inner.receive_limits()
    }
}

/// A settler that deletes what is given back.
#[derive(Debug)]
struct AcksFailed(Arc<dyn Settler>);

#[async_trait]
impl Settler for AcksFailed {
    async fn delete(&self, batch: Vec<Receipt>) -> Vec<Result<(), QueueError>> {
        self.0.delete(batch).await
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Vec<Result<(), QueueError>> {
        self.0.delete(batch.into_iter().map(|(receipt, _)| receipt).collect()).await
    }

    fn abandon(&self, receipt: Receipt) {
        self.0.abandon(receipt);
    }
}
