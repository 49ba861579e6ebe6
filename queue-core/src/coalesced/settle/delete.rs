//! How deletes gather.

use std::sync::Arc;

use crate::coalesced::batcher::Kind;
use crate::coalesced::outstanding::Outstanding;
use crate::{QueueError, QueueErrorKind, Receipt, Settler};

#[derive(Clone, Debug)]
pub(super) struct Delete {
    pub(super) at: Arc<dyn Settler>,
    pub(super) receipt: Receipt,
}

#[derive(Debug)]
pub(super) struct Deletes(pub(super) Arc<Outstanding>);

impl Kind for Deletes {
    type Entry = Delete;
    type Answer = ();

    /// The first entry's settler settles them all: the settlers of one consumer are interchangeable.
    async fn call(&self, batch: Vec<Delete>) -> Vec<Result<(), QueueError>> {
        let Some(at) = batch.first().map(|first| Arc::clone(&first.at)) else { return Vec::new() };
        at.delete(batch.into_iter().map(|entry| entry.receipt).collect()).await
    }

    fn is_alone(&self, _calls: usize) -> bool {
        self.0.all_wait()
    }

    /// A delete can be repeated without harm.
    fn is_passing(&self, error: QueueErrorKind) -> bool {
        error.is_passing()
    }

    /// The message was handled, whether its caller still waits or not.
    fn outlives_its_caller(&self) -> bool {
        true
    }
}
