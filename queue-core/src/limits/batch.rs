//! The check of a whole batch before anything of it is sent.

use super::Limits;
use crate::{Outgoing, QueueError, Rejected};

type Checked = Result<Outgoing, Rejected>;

impl Limits {
    /// Checks a batch and each entry of it, for whoever writes a publisher: what passes is to be sent, the rest is
    /// handed back in its place (Q6, Q11).
    ///
    /// A batch with too many entries or too many bytes fails as a whole, as at the service; the bytes are those of the
    /// entries that pass, as the others are not sent. `also` is what the publisher checks besides.
    pub fn check_batch(
        &self,
        batch: Vec<Outgoing>,
        also: impl Fn(&Outgoing) -> Result<(), QueueError>,
    ) -> Vec<Result<Outgoing, Rejected>> {
        let entries = batch.len();
        if entries > self.batch {
            let reason = format!("the batch has {entries} entries, {} are allowed", self.batch);
            return batch.into_iter().map(|message| refuse(message, &reason)).collect();
        }
        let check = |message| match self.check(&message).and_then(|()| also(&message)) {
            Ok(()) => Ok(message),
            Err(error) => Err(Rejected::new(message, error)),
        };
        let checked: Vec<Checked> = batch.into_iter().map(check).collect();
        let bytes: usize = checked.iter().flatten().map(Outgoing::size).sum();
        if bytes <= self.batch_bytes {
            return checked;
        }
        let reason = format!("the batch has {bytes} bytes, {} are allowed", self.batch_bytes);
        checked.into_iter().map(|entry| entry.and_then(|message| refuse(message, &reason))).collect()
    }
}

fn refuse(message: Outgoing, reason: &str) -> Checked {
    Err(Rejected::new(message, QueueError::permanent(reason.to_owned())))
}
