//! Settling: what a receipt can still do.

use std::time::Duration;

use tokio::time::Instant;

use super::super::handle::Handle;
use super::super::key::Key;
use super::Engine;
use crate::{QueueError, Receipt};

/// How a delete succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Deleted {
    /// The message was here.
    Now,
    /// The message was here no longer: deleted, purged, past its retention, or moved.
    Before(Key),
}

impl Engine {
    /// Deletes the message for good, if the receipt is its latest one (Q3, Q4); also after its time ran out, but not
    /// on an ordered queue (P1).
    pub(in crate::memory) fn delete(
        &mut self,
        receipt: &Receipt,
        now: Instant,
    ) -> Result<Deleted, QueueError> {
        self.advance(now);
        let Handle { message, delivery } = self.read(receipt)?;
        let Some(entry) = self.messages.get(&message) else { return Ok(Deleted::Before(message)) };
        entry.latest(delivery).ok_or_else(superseded)?;
        if self.rules.ordered && !self.schedule.is_in_flight(entry.slot()) {
            return Err(visible());
        }
        self.remove(message);
        Ok(Deleted::Now)
    }

    /// Hides the message for `visibility` from now on, if it is still in flight under this receipt (Q3, Q4).
    pub(in crate::memory) fn change_visibility(
        &mut self,
        (receipt, visibility): (&Receipt, Duration),
        now: Instant,
    ) -> Result<(), QueueError> {
        self.advance(now);
        let Handle { message, delivery } = self.read(receipt)?;
        let entry = self.messages.get(&message).ok_or_else(gone)?;
        let latest = entry.latest(delivery).ok_or_else(superseded)?;
        if !self.schedule.is_in_flight(entry.slot()) {
            return Err(visible());
        }
        check_total(now.saturating_duration_since(latest.received), visibility, self.rules.max_visibility)?;
        self.touch(message);
        self.hide_again(message, visibility, now);
        Ok(())
    }

    fn read(&self, receipt: &Receipt) -> Result<Handle, QueueError> {
        Handle::read(receipt).filter(|handle| self.deliveries.gave(handle.delivery)).ok_or_else(|| {
            QueueError::permanent(format!("receipt {:?} was not written by this queue", receipt.as_str()))
        })
    }
}

/// The most is counted from the receive, so that a message is not kept for ever by renewing it.
fn check_total(held: Duration, visibility: Duration, most: Duration) -> Result<(), QueueError> {
    if held.saturating_add(visibility) <= most {
        return Ok(());
    }
    Err(QueueError::permanent(format!(
        "a visibility timeout of {visibility:?}, {held:?} after the receive, is longer than the {most:?} allowed in all"
    )))
}

fn visible() -> QueueError {
    QueueError::lost("the message is visible already: its time ran out or it was released")
}

fn superseded() -> QueueError {
    QueueError::lost("the message was given to another consumer since")
}

fn gone() -> QueueError {
    QueueError::lost("the message is not in the queue any longer")
}
