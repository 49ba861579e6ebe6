//! The settler that removes a body when its message was deleted.

use std::sync::Arc;
use std::time::Duration;

use object_store::path::Path;
use queue_core::{Delivery, QueueError, Receipt, Settler, async_trait};

use super::outstanding::Outstanding;
use super::vault::Vault;

/// The settler of one delivery, which is outstanding for as long as this lives.
#[derive(Debug)]
pub(super) struct ClaimSettler {
    inner: Arc<dyn Settler>,
    desk: Arc<Desk>,
    /// The delivery's own receipt, if its body is to be removed.
    receipt: Option<Receipt>,
}

/// What the settlers of one consumer share.
#[derive(Debug)]
pub(super) struct Desk {
    vault: Vault,
    outstanding: Arc<Outstanding>,
}

impl Desk {
    pub(super) fn new(vault: Vault, outstanding: Arc<Outstanding>) -> Arc<Self> {
        Arc::new(Self { vault, outstanding })
    }

    /// Lets `delivery` be settled here. Those without a body in the store too, as theirs may settle the others.
    pub(super) fn adopt(self: &Arc<Self>, delivery: Delivery, body: Option<Path>) -> Delivery {
        let receipt = body.is_some().then(|| delivery.receipt().clone());
        if let Some(path) = body {
            self.outstanding.add(delivery.receipt().clone(), path);
        }
        delivery.map_settler(|inner| Arc::new(ClaimSettler { inner, desk: Arc::clone(self), receipt }))
    }
}

impl Drop for ClaimSettler {
    fn drop(&mut self) {
        if let Some(receipt) = &self.receipt {
            self.desk.outstanding.remove(receipt);
        }
    }
}

#[async_trait]
impl Settler for ClaimSettler {
    /// Deletes, then removes the bodies of what was deleted; the answer is about the messages alone.
    async fn delete(&self, batch: Vec<Receipt>) -> Vec<Result<(), QueueError>> {
        let answers = self.inner.delete(batch.clone()).await;
        let done = batch.iter().zip(&answers).filter(|(_, answer)| answer.is_ok());
        let spent = self.desk.outstanding.paths(done.map(|(receipt, _)| receipt));
        self.desk.vault.remove_all(spent).await;
        answers
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Vec<Result<(), QueueError>> {
        self.inner.change_visibility(batch).await
    }

    fn abandon(&self, receipt: Receipt) {
        self.inner.abandon(receipt);
    }
}
