//! The settings of a claim check, and what they make of the limits of the queue behind it.

use std::time::Duration;

use queue_core::{Limits, Outgoing, QueueError};

use super::pointer::{self, Pointer};

#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) stored: Stored,
    pub(super) keeps_bodies: bool,
    pub(super) content_deduplication: bool,
    pub(super) delivers_broken: bool,
    pub(super) pause: Duration,
}

/// Which messages leave their body in the store, whatever else is in their batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    /// Those that the queue does not take.
    TooLarge,
    /// Those of more bytes.
    Above(usize),
    /// All of them.
    Every,
}

impl Settings {
    /// How long a message rests whose body can't be fetched, unless it is set.
    const PAUSE: Duration = Duration::from_secs(30);

    /// Checks what [`limits`](Self::limits) don't say. `pointer` is how many bytes a pointer has.
    pub(super) fn check(
        &self,
        message: &Outgoing,
        (inner, pointer): (&Limits, usize),
    ) -> Result<(), QueueError> {
        if is_claim(message) {
            return Ok(()); // the queue checks it: it goes there as it is
        }
        if let Some(mark) = pointer::mark_of(message.attributes()) {
            return refuse(format!(
                "the attribute {mark:?} is reserved: it marks a body that lies in a store"
            ));
        }
        let (count, most) = (message.attributes().len(), inner.attributes.saturating_sub(1));
        if count > most {
            return refuse(format!("the message has {count} attributes, {most} are allowed beside the mark"));
        }
        let (size, most) = (claim_size(message, pointer), largest(inner));
        if self.is_large(message, inner) && size > most {
            return refuse(format!(
                "the message has {size} bytes without its body, {} more than the {most} that the queue takes",
                size - most
            ));
        }
        self.check_identity(message, inner)
    }

    /// On an ordered queue a pointer can't be told from others by its own body, which is always another one.
    fn check_identity(&self, message: &Outgoing, inner: &Limits) -> Result<(), QueueError> {
        let named = message.deduplication_id().is_some() || self.content_deduplication;
        if !inner.ordered || named || !self.is_large(message, inner) {
            return Ok(());
        }
        refuse(
            "a body that goes into the store needs a deduplication id on an ordered queue; or let the claim check \
             know, by `with_content_deduplication`, that the queue tells messages apart by their bodies"
                .to_owned(),
        )
    }

    /// Whether the message can't or is not to be sent whole, whatever else is in its batch.
    pub(super) fn is_large(&self, message: &Outgoing, inner: &Limits) -> bool {
        let above = |threshold: usize| message.size() > threshold.min(largest(inner));
        let is_large = match self.stored {
            Stored::TooLarge => above(usize::MAX),
            Stored::Above(threshold) => above(threshold),
            Stored::Every => true,
        };
        is_large && !is_claim(message)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            stored: Stored::TooLarge,
            keeps_bodies: false,
            content_deduplication: false,
            delivers_broken: false,
            pause: Self::PAUSE,
        }
    }
}

/// Whether a message carries a pointer already: a copy of one that could not be redeemed, on its way to another queue.
pub(super) fn is_claim(message: &Outgoing) -> bool {
    Pointer::read(message.body(), message.attributes()).is_some()
}

/// How many bytes a message has when a pointer of so many bytes stands in for its body.
pub(super) fn claim_size(message: &Outgoing, pointer: usize) -> usize {
    pointer + pointer::marked(message.attributes(), message.body().len()).size()
}

/// The largest message that a queue takes.
fn largest(inner: &Limits) -> usize {
    inner.message_bytes.min(inner.batch_bytes)
}

fn refuse(reason: String) -> Result<(), QueueError> {
    Err(QueueError::permanent(reason))
}
