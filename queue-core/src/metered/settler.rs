//! The settler that counts what becomes of metered deliveries.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::{Calls, Meter};
use crate::{QueueError, Receipt, Settler};

#[derive(Debug)]
pub(super) struct MeteredSettler {
    inner: Arc<dyn Settler>,
    meter: Meter,
}

impl MeteredSettler {
    pub(super) fn new(inner: Arc<dyn Settler>, meter: Meter) -> Self {
        Self { inner, meter }
    }
}

#[async_trait]
impl Settler for MeteredSettler {
    async fn delete(&self, batch: Vec<Receipt>) -> Vec<Result<(), QueueError>> {
        self.meter.note(Calls::delete_started);
        let answers = self.inner.delete(batch).await;
        self.meter.note(|calls| calls.delete_ended(&answers));
        answers
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Vec<Result<(), QueueError>> {
        self.meter.note(Calls::change_started);
        let answers = self.inner.change_visibility(batch).await;
        self.meter.note(|calls| calls.change_ended(&answers));
        answers
    }

    fn abandon(&self, receipt: Receipt) {
        self.meter.note(|calls| calls.abandoned += 1);
        self.inner.abandon(receipt);
    }
}
