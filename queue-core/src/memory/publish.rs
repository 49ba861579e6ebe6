//! Publishing to a memory queue: what is stored, and what is handed back.

use super::shared::Shared;
use crate::{Limits, MessageId, Outgoing, QueueError, Rejected};

type Checked = Result<Outgoing, Rejected>;

impl Shared {
    /// Stores what the limits allow and hands back the rest, in the order of the batch (Q6, Q11).
    pub(super) fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        let checked = check(&self.settings.limits, batch);
        self.act(|state, now| {
            let sent_at = self.clock.at(now);
            let store = |entry: Checked| entry.map(|message| state.engine.publish(&message, sent_at, now));
            checked.into_iter().map(store).collect()
        })
    }
}

/// Checks the batch and each entry. A batch with too many entries or too many bytes fails as a whole, as at the
/// service; the bytes are those of the entries that pass, because the others are not sent.
fn check(limits: &Limits, batch: Vec<Outgoing>) -> Vec<Checked> {
    if batch.len() > limits.batch {
        let reason = format!("the batch has {} entries, {} are allowed", batch.len(), limits.batch);
        return batch.into_iter().map(|message| refuse(message, &reason)).collect();
    }
    let checked: Vec<Checked> = batch.into_iter().map(|message| check_entry(limits, message)).collect();
    let bytes: usize = checked.iter().flatten().map(Outgoing::size).sum();
    if bytes <= limits.batch_bytes {
        return checked;
    }
    let reason = format!("the batch has {bytes} bytes, {} are allowed", limits.batch_bytes);
    checked.into_iter().map(|entry| entry.and_then(|message| refuse(message, &reason))).collect()
}

fn check_entry(limits: &Limits, message: Outgoing) -> Checked {
    match limits.check(&message) {
        Ok(()) => Ok(message),
        Err(error) => Err(Rejected::new(message, error)),
    }
}

fn refuse(message: Outgoing, reason: &str) -> Checked {
    Err(Rejected::new(message, QueueError::permanent(reason.to_owned())))
}
