//! How visibility changes gather.

use std::sync::Arc;
use std::time::Duration;

use crate::coalesced::batcher::Kind;
use crate::coalesced::outstanding::Outstanding;
use crate::{QueueError, QueueErrorKind, Receipt, Settler};

#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) at: Arc<dyn Settler>,
    pub(super) receipt: Receipt,
    pub(super) visibility: Duration,
}

#[derive(Debug)]
pub(super) struct Changes(pub(super) Arc<Outstanding>);

impl Kind for Changes {
    type Entry = Change;
    type Answer = ();

    /// The first entry's settler settles them all: the settlers of one consumer are interchangeable.
    async fn call(&self, batch: Vec<Change>) -> Vec<Result<(), QueueError>> {
        let Some(at) = batch.first().map(|first| Arc::clone(&first.at)) else { return Vec::new() };
        at.change_visibility(batch.into_iter().map(|entry| (entry.receipt, entry.visibility)).collect()).await
    }

    fn is_alone(&self, _calls: usize) -> bool {
        self.0.all_wait()
    }

    /// A change can be repeated without harm: it counts from when it is made.
    fn is_passing(&self, error: QueueErrorKind) -> bool {
        error.is_passing()
    }
}
