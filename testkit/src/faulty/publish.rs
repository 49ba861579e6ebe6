//! Publishing through a script.

use queue_core::{Limits, MessageId, Outgoing, Publisher, QueueError, Rejected, async_trait};

use super::batch::Batch;
use super::{CallKind, Faulty};

struct Publish<'a, Q>(&'a Q);

impl<Q: Publisher> Batch for Publish<'_, Q> {
    type Entry = Outgoing;
    type Answer = Result<MessageId, Rejected>;

    async fn call(&self, entries: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        self.0.publish(entries).await
    }

    fn refuse(entry: Outgoing, error: QueueError) -> Result<MessageId, Rejected> {
        Err(Rejected::new(entry, error))
    }
}

#[async_trait]
impl<Q: Publisher> Publisher for Faulty<Q> {
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        let fault = self.player.play(CallKind::Publish, batch.len(), None).await;
        fault.strike(&Publish(&self.queue), batch).await
    }

    fn limits(&self) -> Limits {
        self.queue.limits()
    }
}
