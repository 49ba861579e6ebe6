//! Looking into the queue behind a claim check.

use queue_core::{Depth, Inspect, QueueError, async_trait};

use super::ClaimCheck;

#[async_trait]
impl<Q: Inspect> Inspect for ClaimCheck<Q> {
    async fn depth(&self) -> Result<Depth, QueueError> {
        self.queue.depth().await
    }

    /// Removes every message: see [`Inspect::purge`]. The bodies of those that had one in the store stay there.
    async fn purge(&self) -> Result<(), QueueError> {
        self.queue.purge().await
    }
}
