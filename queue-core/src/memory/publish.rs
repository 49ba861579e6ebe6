//! Publishing to a memory queue: what is stored, and what is handed back.

use super::settings::Settings;
use super::shared::Shared;
use crate::{MessageId, Outgoing, QueueError, Rejected};

impl Shared {
    /// Stores what the limits allow and hands back the rest, in the order of the batch (Q6, Q11).
    pub(super) fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        let settings = self.settings();
        let limits = settings.limits();
        let checked = limits.check_batch(batch, |message| settings.check_identity(message));
        self.act(|state, now| {
            let sent_at = self.clock.at(now);
            let store = |entry: Result<Outgoing, Rejected>| {
                entry.map(|message| state.engine.publish(&message, sent_at, now))
            };
            checked.into_iter().map(store).collect()
        })
    }
}

impl Settings {
    /// Whether an ordered queue can tell the message from others (Q9).
    fn check_identity(&self, message: &Outgoing) -> Result<(), QueueError> {
        if !self.ordered || self.content_deduplication || message.deduplication_id().is_some() {
            return Ok(());
        }
        Err(QueueError::permanent(
            "an ordered queue needs a deduplication id on each message, or to be set to deduplicate by content",
        ))
    }
}
