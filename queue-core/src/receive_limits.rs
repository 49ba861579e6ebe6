//! What a consumer can be asked for.

use std::time::Duration;

use crate::{QueueError, ReceiveOptions};

/// The most characters of an attempt id.
const MAX_ATTEMPT_ID: usize = 128;

/// What a consumer can be asked for. The defaults are those of a standard Amazon SQS queue (Amazon SQS Developer
/// Guide, "Amazon SQS message quotas").
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReceiveLimits {
    /// How many messages a receive may ask for, and how many entries a settle call may have: 10.
    pub batch: usize,
    /// The longest wait of a receive: 20 s.
    pub max_wait: Duration,
    /// The visibility timeout in force when a receive names none: 30 s.
    pub visibility: Duration,
    /// How long a delivery can be kept hidden in all, counted from its receive: 12 h.
    pub max_visibility: Duration,
    /// Whether the messages of a group come in order (Q8).
    pub ordered: bool,
}

impl Default for ReceiveLimits {
    fn default() -> Self {
        Self {
            batch: 10,
            max_wait: Duration::from_secs(20),
            visibility: Duration::from_secs(30),
            max_visibility: Duration::from_hours(12),
            ordered: false,
        }
    }
}

impl ReceiveLimits {
    /// Sets the visibility timeout in force when a receive names none.
    #[must_use]
    pub fn with_visibility(mut self, visibility: Duration) -> Self {
        self.visibility = visibility;
        self
    }

    /// Sets how many messages a receive may ask for, and how many entries a settle call may have.
    #[must_use]
    pub fn with_batch(mut self, batch: usize) -> Self {
        self.batch = batch;
        self
    }

    /// Sets whether the messages of a group come in order.
    #[must_use]
    pub fn with_ordered(mut self, ordered: bool) -> Self {
        self.ordered = ordered;
        self
    }

    /// Checks what a receive asks for, for whoever writes a consumer.
    ///
    /// # Errors
    /// *Permanent*, saying what was asked for and what is allowed.
    pub fn check(&self, options: &ReceiveOptions) -> Result<(), QueueError> {
        let refuse = |reason: String| Err(QueueError::permanent(reason));
        if options.max_messages == 0 || options.max_messages > self.batch {
            return refuse(format!(
                "a receive asked for {} messages; 1 to {} are allowed",
                options.max_messages, self.batch
            ));
        }
        if options.wait > self.max_wait {
            return refuse(format!(
                "a wait of {:?} is longer than the {:?} allowed",
                options.wait, self.max_wait
            ));
        }
        if self.ordered {
            check_attempt(options.attempt_id.as_deref())?;
        }
        match options.visibility {
            Some(visibility) if visibility > self.max_visibility => refuse(format!(
                "a visibility timeout of {visibility:?} is longer than the {:?} allowed",
                self.max_visibility
            )),
            _ => Ok(()),
        }
    }
}

/// `ReceiveRequestAttemptId` of `ReceiveMessage` in the Amazon SQS API reference: letters, digits and punctuation.
fn check_attempt(id: Option<&str>) -> Result<(), QueueError> {
    let Some(id) = id else { return Ok(()) };
    if (1..=MAX_ATTEMPT_ID).contains(&id.len()) && id.chars().all(|c| c.is_ascii_graphic()) {
        return Ok(());
    }
    Err(QueueError::permanent(format!(
        "the attempt id {id:?} is not of 1 to {MAX_ATTEMPT_ID} letters, digits and ASCII punctuation"
    )))
}
