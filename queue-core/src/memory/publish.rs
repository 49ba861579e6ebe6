//! Publishing to a memory queue: what is stored, and what is handed back.

use super::settings::Settings;
use super::shared::Shared;
use crate::{MessageId, Outgoing, QueueError, Rejected};

type Checked = Result<Outgoing, Rejected>;

impl Shared {
    /// Stores what the limits allow and hands back the rest, in the order of the batch (Q6, Q11).
    pub(super) fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        let checked = check(&self.settings, batch);
        self.act(|state, now| {
            let sent_at = self.clock.at(now);
            let store = |entry: Checked| entry.map(|message| state.engine.publish(&message, sent_at, now));
            checked.into_iter().map(store).collect()
        })
    }
}

/// Checks the batch and each entry. A batch with too many entries or too many bytes fails as a whole, as at the
/// service; the bytes are those of the entries that pass, because the others are not sent.
fn check(settings: &Settings, batch: Vec<Outgoing>) -> Vec<Checked> {
    let limits = settings.limits();
    if batch.len() > limits.batch {
        let reason = format!("the batch has {} entries, {} are allowed", batch.len(), limits.batch);
        return batch.into_iter().map(|message| refuse(message, &reason)).collect();
    }
    let check_entry = |message| match limits.check(&message).and_then(|()| settings.check_identity(&message))
    {
        Ok(()) => Ok(message),
        Err(error) => Err(Rejected::new(message, error)),
    };
    let checked: Vec<Checked> = batch.into_iter().map(check_entry).collect();
    let bytes: usize = checked.iter().flatten().map(Outgoing::size).sum();
    if bytes <= limits.batch_bytes {
        return checked;
    }
    let reason = format!("the batch has {bytes} bytes, {} are allowed", limits.batch_bytes);
    checked.into_iter().map(|entry| entry.and_then(|message| refuse(message, &reason))).collect()
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

fn refuse(message: Outgoing, reason: &str) -> Checked {
    Err(Rejected::new(message, QueueError::permanent(reason.to_owned())))
}
