//! Settling through a script.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{QueueError, Receipt, Settler, async_trait};

use super::CallKind;
use super::batch::Batch;
use super::player::Player;

/// The settler of a delivery that came through a script.
#[derive(Debug)]
pub(super) struct FaultySettler {
    inner: Arc<dyn Settler>,
    player: Arc<Player>,
}

impl FaultySettler {
    pub(super) fn new(inner: Arc<dyn Settler>, player: Arc<Player>) -> Self {
        Self { inner, player }
    }
}

struct Delete<'a>(&'a dyn Settler);

impl Batch for Delete<'_> {
    type Entry = Receipt;
    type Answer = Result<(), QueueError>;

    async fn call(&self, entries: Vec<Receipt>) -> Vec<Result<(), QueueError>> {
        self.0.delete(entries).await
    }

    fn refuse(_entry: Receipt, error: QueueError) -> Result<(), QueueError> {
        Err(error)
    }
}

struct ChangeVisibility<'a>(&'a dyn Settler);

impl Batch for ChangeVisibility<'_> {
    type Entry = (Receipt, Duration);
    type Answer = Result<(), QueueError>;

    async fn call(&self, entries: Vec<(Receipt, Duration)>) -> Vec<Result<(), QueueError>> {
        self.0.change_visibility(entries).await
    }

    fn refuse(_entry: (Receipt, Duration), error: QueueError) -> Result<(), QueueError> {
        Err(error)
    }
}

#[async_trait]
impl Settler for FaultySettler {
    async fn delete(&self, batch: Vec<Receipt>) -> Vec<Result<(), QueueError>> {
        let fault = self.player.play(CallKind::Delete, batch.len(), None).await;
        fault.strike(&Delete(&*self.inner), batch).await
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Vec<Result<(), QueueError>> {
        let visibility = batch.first().map(|(_, visibility)| *visibility);
        let fault = self.player.play(CallKind::ChangeVisibility, batch.len(), visibility).await;
        fault.strike(&ChangeVisibility(&*self.inner), batch).await
    }

    fn abandon(&self, receipt: Receipt) {
        self.inner.abandon(receipt);
    }
}
