//! A delivery: one message in the hands of one consumer, for as long as it is hidden from the others.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::{Message, QueueError, QueueErrorKind, Receipt, Settler};

/// A message that is ours until [`hidden_until`](Self::hidden_until), unless it is extended.
///
/// Settle it with [`ack`](Self::ack) or [`release`](Self::release); both take it, so that it can't be settled
/// twice, and give it back when they fail.
///
/// ```compile_fail,E0382
/// async fn settles_twice(delivery: queue_core::Delivery) {
///     delivery.ack().await.ok();
///     delivery.ack().await.ok();
/// }
/// ```
///
/// # Drop
/// Q12: does no I/O and hides nothing. The message comes back when its time ends, and the backend counts it.
#[derive(Debug)]
#[must_use = "a delivery that is dropped comes back only when its visibility timeout ends"]
pub struct Delivery {
    message: Message,
    receipt: Receipt,
    settler: Arc<dyn Settler>,
    visibility: Duration,
    hidden_until: Instant,
    settled: bool,
}

impl Delivery {
    /// The visibility timeout assumed until [`with_visibility`](Self::with_visibility) says otherwise: 30 s, the
    /// default of Amazon SQS queues.
    pub const DEFAULT_VISIBILITY: Duration = Duration::from_secs(30);

    /// Hands `message` to a consumer, to be settled by `receipt` at `settler`.
    pub fn new(message: Message, receipt: Receipt, settler: Arc<dyn Settler>) -> Self {
        let visibility = Self::DEFAULT_VISIBILITY;
        let hidden_until = Instant::now() + visibility;
        Self { message, receipt, settler, visibility, hidden_until, settled: false }
    }

    /// Sets the visibility timeout in force, counted from now.
    pub fn with_visibility(mut self, visibility: Duration) -> Self {
        self.hide_for(visibility);
        self
    }

    /// Counts the visibility timeout from `moment`, if that is before now: for backends that know when the message was
    /// taken at the latest, and whose answers may come late. What is believed to be ours for too long is handled twice
    /// (Q3).
    pub fn with_taken_at(mut self, moment: Instant) -> Self {
        self.hidden_until = self.hidden_until.min(moment + self.visibility);
        self
    }

    /// Puts another settler in front of the present one: how decorators see what becomes of a delivery.
    pub fn map_settler(mut self, map: impl FnOnce(Arc<dyn Settler>) -> Arc<dyn Settler>) -> Self {
        self.settler = map(Arc::clone(&self.settler));
        self
    }

    /// Changes the message and leaves receipt and settler as they are: how decorators unwrap what they expect.
    pub fn map_message(mut self, map: impl FnOnce(Message) -> Message) -> Self {
        self.message = map(self.message.clone());
        self
    }

    /// The message.
    pub fn message(&self) -> &Message {
        &self.message
    }

    /// The receipt.
    pub fn receipt(&self) -> &Receipt {
        &self.receipt
    }

    /// The backend's half.
    pub fn settler(&self) -> &Arc<dyn Settler> {
        &self.settler
    }

    /// The visibility timeout in force.
    pub fn visibility(&self) -> Duration {
        self.visibility
    }

    /// When other consumers can receive the message again, by our clock.
    pub fn hidden_until(&self) -> Instant {
        self.hidden_until
    }

    /// Deletes the message: it was handled.
    ///
    /// # Guarantees
    /// Q3, Q4.
    ///
    /// # Cancel safety
    /// Safe: dropping the call leaves the message deleted or coming back at its timeout, and counts as a drop.
    ///
    /// # Errors
    /// Every error gives the delivery back. *Lost*: another consumer has it; there is nothing left to settle.
    pub async fn ack(self) -> Result<(), SettleError> {
        let answer = self.settler.delete(vec![self.receipt.clone()]).await;
        self.settled(answer)
    }

    /// Makes the message visible again after `delay`; zero means at once.
    ///
    /// # Guarantees
    /// Q3, Q4. The receive count stays as it is: the next delivery raises it.
    ///
    /// # Cancel safety
    /// Safe: dropping the call leaves the message visible after `delay` or at its timeout, and counts as a drop.
    ///
    /// # Errors
    /// Every error gives the delivery back. *Lost*: it is visible already, or another consumer has it.
    pub async fn release(self, delay: Duration) -> Result<(), SettleError> {
        let answer = self.settler.change_visibility(vec![(self.receipt.clone(), delay)]).await;
        self.settled(answer)
    }

    /// Keeps the message hidden for `visibility` from now on.
    ///
    /// # Guarantees
    /// Q3, Q4. On success [`hidden_until`](Self::hidden_until) is counted from before the request was sent.
    ///
    /// # Cancel safety
    /// Safe: dropping the call leaves the old timeout or the new one in force; the one that ends first is believed.
    ///
    /// # Errors
    /// *Lost*: its time ran out. *Permanent*: longer than the service allows. *Indeterminate*: as if it was dropped.
    /// *Transient*: the old timeout is in force.
    pub async fn extend(&mut self, visibility: Duration) -> Result<(), QueueError> {
        let (asked, before) = (Instant::now(), (self.visibility, self.hidden_until));
        (self.visibility, self.hidden_until) = (before.0.min(visibility), before.1.min(asked + visibility));
        let answer = only(self.settler.change_visibility(vec![(self.receipt.clone(), visibility)]).await);
        match answer.as_ref().map_err(QueueError::kind) {
            Ok(()) => (self.visibility, self.hidden_until) = (visibility, asked + visibility),
            Err(QueueErrorKind::Indeterminate) => {}
            Err(_) => (self.visibility, self.hidden_until) = before,
        }
        answer
    }

    /// Notes that the message was settled by other means, by its receipt, so that the drop is not counted.
    pub fn forget(mut self) {
        self.settled = true;
    }

    fn hide_for(&mut self, visibility: Duration) {
        self.visibility = visibility;
        self.hidden_until = Instant::now() + visibility;
    }

    fn settled(mut self, answer: Vec<Result<(), QueueError>>) -> Result<(), SettleError> {
        match only(answer) {
            Ok(()) => {
                self.settled = true;
                Ok(())
            }
            Err(error) => {
                self.settled = error.kind() == QueueErrorKind::Lost;
                Err(SettleError { delivery: Box::new(self), error })
            }
        }
    }
}

impl Drop for Delivery {
    fn drop(&mut self) {
        if !self.settled {
            self.settler.abandon(self.receipt.clone());
        }
    }
}

/// The one answer to a batch of one. A backend that answers with none has lost it.
fn only(mut answer: Vec<Result<(), QueueError>>) -> Result<(), QueueError> {
    answer
        .pop()
        .unwrap_or_else(|| Err(QueueError::indeterminate("the backend gave no answer for this entry")))
}

/// A delivery that could not be settled, and why.
#[derive(Debug)]
pub struct SettleError {
    delivery: Box<Delivery>,
    error: QueueError,
}

impl SettleError {
    /// Why.
    pub fn error(&self) -> &QueueError {
        &self.error
    }

    /// What the error means.
    pub fn kind(&self) -> QueueErrorKind {
        self.error.kind()
    }

    /// Takes the delivery back, to try again.
    pub fn into_delivery(self) -> Delivery {
        *self.delivery
    }
}

impl fmt::Display for SettleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "message {} was not settled", self.delivery.message.id())
    }
}

impl Error for SettleError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

#[cfg(test)]
mod tests;
