//! The coalesced publisher.

use std::sync::Arc;

use async_trait::async_trait;

use super::Coalesced;
use super::batcher::{Bounds, Kind};
use crate::{Limits, MessageId, Outgoing, Publisher, QueueError, QueueErrorKind, Rejected};

/// A message on its way to a publisher.
#[derive(Clone, Debug)]
pub(super) struct Publish {
    to: Arc<dyn Publisher>,
    message: Outgoing,
}

/// How publishes gather.
#[derive(Debug)]
pub(super) struct Publishes;

impl Kind for Publishes {
    type Entry = Publish;
    type Answer = MessageId;

    async fn call(&self, batch: Vec<Publish>) -> Vec<Result<MessageId, QueueError>> {
        let Some(to) = batch.first().map(|first| Arc::clone(&first.to)) else { return Vec::new() };
        let answers = to.publish(batch.into_iter().map(|entry| entry.message).collect()).await;
        answers.into_iter().map(|answer| answer.map_err(Rejected::into_error)).collect()
    }

    fn bytes(&self, entry: &Publish) -> usize {
        entry.message.size()
    }

    /// Nobody publishes, so nobody can be about to come back for more.
    fn is_alone(&self, calls: usize) -> bool {
        calls == 0
    }

    /// A publish whose answer was lost is handed back: sent again, it could be stored twice.
    fn is_passing(&self, error: QueueErrorKind) -> bool {
        error == QueueErrorKind::Transient
    }
}

#[async_trait]
impl<Q: Publisher + 'static> Publisher for Coalesced<Q> {
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        let to: Arc<dyn Publisher> = Arc::<Q>::clone(&self.queue);
        let entries =
            batch.iter().map(|message| Publish { to: Arc::clone(&to), message: message.clone() }).collect();
        let answers = self.publishes.submit(bounds(&self.queue.limits()), entries).await;
        let pairs = batch.into_iter().zip(answers);
        pairs.map(|(message, answer)| answer.map_err(|error| Rejected::new(message, error))).collect()
    }

    fn limits(&self) -> Limits {
        self.queue.limits()
    }
}

fn bounds(limits: &Limits) -> Bounds {
    Bounds::new(limits.batch, limits.ordered).with_bytes(limits.batch_bytes)
}
