//! What a broken queue remembers of its deliveries.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use queue_core::{Delivery, MessageId, Receipt};
use tokio::time::Instant;

/// What a broken queue remembers of its deliveries.
#[derive(Debug, Default)]
pub(crate) struct Book {
    deliveries: HashMap<Receipt, (MessageId, Instant)>,
    newest: HashMap<MessageId, Receipt>,
    marked: HashSet<Receipt>,
    extensions: HashMap<MessageId, u32>,
}

impl Book {
    pub(crate) fn note(&mut self, delivery: &Delivery) {
        let (id, receipt) = (delivery.message().id().clone(), delivery.receipt().clone());
        self.newest.insert(id.clone(), receipt.clone());
        self.deliveries.insert(receipt, (id, delivery.hidden_until()));
    }

    /// The receipt of the newest delivery of the same message.
    pub(crate) fn newest(&self, receipt: &Receipt) -> Receipt {
        let newest = self.deliveries.get(receipt).and_then(|(id, _)| self.newest.get(id));
        newest.unwrap_or(receipt).clone()
    }

    /// The receipt of the newest delivery of the message with this id.
    pub(crate) fn newest_of(&self, id: &str) -> Option<Receipt> {
        self.newest.get(&MessageId::new(id)).cloned()
    }

    /// How long the message is still hidden by this receipt.
    pub(crate) fn left(&self, receipt: &Receipt) -> Duration {
        let until = self.deliveries.get(receipt).map_or_else(Instant::now, |(_, until)| *until);
        until.saturating_duration_since(Instant::now())
    }

    /// Remembers that the message is hidden for `visibility` from now on.
    pub(crate) fn extend(&mut self, receipt: &Receipt, visibility: Duration) {
        if let Some((id, until)) = self.deliveries.get_mut(receipt) {
            *until = Instant::now() + visibility;
            *self.extensions.entry(id.clone()).or_default() += 1;
        }
    }

    pub(crate) fn extensions(&self, id: &MessageId) -> u32 {
        self.extensions.get(id).copied().unwrap_or_default()
    }

    /// Marks a receipt; tells whether it was marked before.
    pub(crate) fn mark(&mut self, receipt: Receipt) -> bool {
        !self.marked.insert(receipt)
    }

    pub(crate) fn is_marked(&self, receipt: &Receipt) -> bool {
        self.marked.contains(receipt)
    }
}
