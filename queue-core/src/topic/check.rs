//! The check of a batch before anything is sent.

use crate::{Limits, Outgoing, QueueError, Rejected};

type Checked = Result<Outgoing, Rejected>;

/// Checks the batch and each entry (Q11). A batch with too many entries or too many bytes fails as a whole, as at the
/// service; the bytes are those of the entries that pass.
pub(super) fn check(limits: &Limits, batch: Vec<Outgoing>) -> Vec<Checked> {
    let entries = batch.len();
    if entries > limits.batch {
        let reason = format!("the batch has {entries} entries, {} are allowed", limits.batch);
        return batch.into_iter().map(|message| refuse(message, &reason)).collect();
    }
    let checked: Vec<Checked> = batch.into_iter().map(|message| entry(limits, message)).collect();
    let bytes: usize = checked.iter().flatten().map(Outgoing::size).sum();
    if bytes <= limits.batch_bytes {
        return checked;
    }
    let reason = format!("the batch has {bytes} bytes, {} are allowed", limits.batch_bytes);
    checked.into_iter().map(|entry| entry.and_then(|message| refuse(message, &reason))).collect()
}

fn entry(limits: &Limits, message: Outgoing) -> Checked {
    match limits.check(&message) {
        Ok(()) => Ok(message),
        Err(error) => Err(Rejected::new(message, error)),
    }
}

fn refuse(message: Outgoing, reason: &str) -> Checked {
    Err(Rejected::new(message, QueueError::permanent(reason.to_owned())))
}
