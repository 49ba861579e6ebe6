//! The coalescing settler: the place of one delivery where its receipts gather with the others'.

mod change;
mod delete;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::batcher::{Batcher, Bounds};
use super::options::Options;
use super::outstanding::Outstanding;
use crate::{Delivery, QueueError, Receipt, ReceiveLimits, Settler};
use change::{Change, Changes};
use delete::{Delete, Deletes};

/// Where deletes and visibility changes of one queue gather.
#[derive(Debug)]
pub(super) struct Settles {
    deletes: Batcher<Deletes>,
    changes: Batcher<Changes>,
    outstanding: Arc<Outstanding>,
}

impl Settles {
    pub(super) fn new(options: Options) -> Self {
        let outstanding = Arc::new(Outstanding::new(options.concurrency));
        let deletes = Batcher::new(Deletes(Arc::clone(&outstanding)), options.settling());
        let changes = Batcher::new(Changes(Arc::clone(&outstanding)), options.settling());
        Self { deletes, changes, outstanding }
    }

    pub(super) async fn flush(&self) {
        tokio::join!(self.deletes.flush(), self.changes.flush());
    }

    /// Lets `delivery` be settled here.
    pub(super) fn adopt(self: &Arc<Self>, delivery: Delivery, limits: &ReceiveLimits) -> Delivery {
        delivery.map_settler(|inner| Arc::new(CoalescedSettler::new(inner, Arc::clone(self), limits)))
    }

    /// Both look again whether anybody is left to wait for.
    fn look(&self) {
        if self.outstanding.all_wait() {
            self.deletes.wake();
            self.changes.wake();
        }
    }
}

/// The settler of one delivery, which is outstanding for as long as this lives.
#[derive(Debug)]
struct CoalescedSettler {
    inner: Arc<dyn Settler>,
    settles: Arc<Settles>,
    delete_bounds: Bounds,
    change_bounds: Bounds,
}

impl CoalescedSettler {
    fn new(inner: Arc<dyn Settler>, settles: Arc<Settles>, limits: &ReceiveLimits) -> Self {
        settles.outstanding.add();
        let delete_bounds = Bounds::new(limits.batch, false);
        Self { inner, settles, delete_bounds, change_bounds: Bounds::new(limits.batch, limits.ordered) }
    }
}

impl Drop for CoalescedSettler {
    fn drop(&mut self) {
        self.settles.outstanding.remove();
        self.settles.look();
    }
}

#[async_trait]
impl Settler for CoalescedSettler {
    async fn delete(&self, batch: Vec<Receipt>) -> Vec<Result<(), QueueError>> {
        let _awaiting = self.settles.outstanding.awaiting(batch.len());
        self.settles.look();
        let entries =
            batch.into_iter().map(|receipt| Delete { at: Arc::clone(&self.inner), receipt }).collect();
        self.settles.deletes.submit(self.delete_bounds, entries).await
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Vec<Result<(), QueueError>> {
        let single = batch.len() == 1;
        // Whoever renews many at once settles none of them, so its entries are nobody's settling.
        let _awaiting = self.settles.outstanding.awaiting(usize::from(single));
        self.settles.look();
        let bounds = if single { self.change_bounds } else { self.change_bounds.at_once() };
        let entries = batch
            .into_iter()
            .map(|(receipt, visibility)| Change { at: Arc::clone(&self.inner), receipt, visibility })
            .collect();
        self.settles.changes.submit(bounds, entries).await
    }

    fn abandon(&self, receipt: Receipt) {
        self.inner.abandon(receipt);
    }
}
