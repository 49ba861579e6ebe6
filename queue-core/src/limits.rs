//! What a publisher accepts, checked before anything is sent.

mod batch;
mod rules;

use std::time::Duration;

use crate::{Outgoing, QueueError};

/// What a publisher accepts (Q11). The defaults are those of a standard Amazon SQS queue (Amazon SQS Developer
/// Guide, "Amazon SQS message quotas", and `SendMessage` in the API reference).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How many messages a call takes: 10.
    pub batch: usize,
    /// How many bytes a call takes, attributes included: 1,048,576.
    pub batch_bytes: usize,
    /// How many bytes a message has at most, attributes included: 1,048,576.
    pub message_bytes: usize,
    /// How many attributes a message has at most: 10.
    pub attributes: usize,
    /// The longest delay of one message: 900 s.
    pub max_delay: Duration,
    /// Whether it orders the messages of a group and takes deduplication ids (Q8, Q9).
    pub ordered: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            batch: 10,
            batch_bytes: 1_048_576,
            message_bytes: 1_048_576,
            attributes: 10,
            max_delay: Duration::from_mins(15),
            ordered: false,
        }
    }
}

impl Limits {
    /// Sets how many bytes a message has at most, and a batch too.
    #[must_use]
    pub fn with_message_bytes(mut self, bytes: usize) -> Self {
        self.message_bytes = bytes;
        self.batch_bytes = bytes;
        self
    }

    /// Sets how many messages a call takes.
    #[must_use]
    pub fn with_batch(mut self, batch: usize) -> Self {
        self.batch = batch;
        self
    }

    /// Sets how many attributes a message has at most.
    #[must_use]
    pub fn with_attributes(mut self, attributes: usize) -> Self {
        self.attributes = attributes;
        self
    }

    /// Sets whether groups are ordered and deduplication ids taken.
    #[must_use]
    pub fn with_ordered(mut self, ordered: bool) -> Self {
        self.ordered = ordered;
        self
    }

    /// Keeps the stricter of two sets: what a publisher in front of another accepts.
    #[must_use]
    pub fn stricter(self, other: &Self) -> Self {
        Self {
            batch: self.batch.min(other.batch),
            batch_bytes: self.batch_bytes.min(other.batch_bytes),
            message_bytes: self.message_bytes.min(other.message_bytes),
            attributes: self.attributes.min(other.attributes),
            max_delay: self.max_delay.min(other.max_delay),
            ordered: self.ordered && other.ordered,
        }
    }

    /// Checks one message.
    ///
    /// # Errors
    /// Q11: *permanent*, saying which rule is broken and by how much.
    pub fn check(&self, message: &Outgoing) -> Result<(), QueueError> {
        rules::body(self, message)
            .and_then(|()| rules::attributes(self, message))
            .and_then(|()| rules::size(self, message))
            .and_then(|()| rules::options(self, message))
            .map_err(QueueError::permanent)
    }

    /// Cuts messages into batches, in order, none with more entries or bytes than a call takes. A message too large
    /// for any call stands alone and is refused when it is published.
    pub fn batches(&self, messages: Vec<Outgoing>) -> Vec<Vec<Outgoing>> {
        let mut batches: Vec<Vec<Outgoing>> = Vec::new();
        let mut bytes = 0;
        for message in messages {
            let size = message.size();
            match batches.last_mut() {
                Some(last) if last.len() < self.batch && bytes + size <= self.batch_bytes => {
                    bytes += size;
                    last.push(message);
                }
                _ => {
                    bytes = size;
                    batches.push(vec![message]);
                }
            }
        }
        batches
    }
}

#[cfg(test)]
mod tests;
