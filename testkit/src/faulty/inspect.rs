//! Looking into a queue through a script.

use queue_core::{Depth, Inspect, QueueError, async_trait};

use super::batch::Batch;
use super::fault::lost;
use super::{CallKind, Faulty};

struct Look<'a, Q>(&'a Q);

impl<Q: Inspect> Batch for Look<'_, Q> {
    type Entry = ();
    type Answer = Result<Depth, QueueError>;

    async fn call(&self, _entries: Vec<()>) -> Vec<Result<Depth, QueueError>> {
        vec![self.0.depth().await]
    }

    fn refuse((): (), error: QueueError) -> Result<Depth, QueueError> {
        Err(error)
    }
}

struct Purge<'a, Q>(&'a Q);

impl<Q: Inspect> Batch for Purge<'_, Q> {
    type Entry = ();
    type Answer = Result<(), QueueError>;

    async fn call(&self, _entries: Vec<()>) -> Vec<Result<(), QueueError>> {
        vec![self.0.purge().await]
    }

    fn refuse((): (), error: QueueError) -> Result<(), QueueError> {
        Err(error)
    }
}

#[async_trait]
impl<Q: Inspect> Inspect for Faulty<Q> {
    async fn depth(&self) -> Result<Depth, QueueError> {
        let fault = self.player.play(CallKind::Depth, 1, None).await;
        fault.strike(&Look(&self.queue), vec![()]).await.pop().unwrap_or_else(|| Err(lost()))
    }

    async fn purge(&self) -> Result<(), QueueError> {
        let fault = self.player.play(CallKind::Purge, 1, None).await;
        fault.strike(&Purge(&self.queue), vec![()]).await.pop().unwrap_or_else(|| Err(lost()))
    }
}
