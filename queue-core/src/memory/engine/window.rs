//! The deduplication window: what was published lately (Q9).

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::{MessageId, Outgoing};

/// How long a message is remembered (Amazon SQS Developer Guide, "Amazon SQS FIFO queue key terms").
const LENGTH: Duration = Duration::from_mins(5);

/// What two messages have in common when one is the other sent again.
///
/// The service compares SHA-256 digests of bodies. Here the bodies themselves are compared: that is exact as well, and
/// costs memory for five minutes instead of a dependency. The two kinds never meet: an id that spells the digest of a
/// body is not the body's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Identity {
    Id(Arc<str>),
    Body(Arc<str>),
}

impl Identity {
    /// What tells `message` from others: its deduplication id, else its body if the queue goes by it.
    pub(super) fn of(message: &Outgoing, by_content: bool) -> Option<Self> {
        match message.deduplication_id() {
            Some(id) => Some(Self::Id(Arc::from(id))),
            None => by_content.then(|| Self::Body(message.shared_body())),
        }
    }
}

/// The messages of the last five minutes, also those that were deleted since. Duplicates do not make it longer.
#[derive(Debug, Default)]
pub(super) struct Window {
    firsts: HashMap<Identity, MessageId>,
    by_age: VecDeque<(Instant, Identity)>,
}

impl Window {
    /// Forgets what is older than the window.
    pub(super) fn advance(&mut self, now: Instant) {
        while self.by_age.front().is_some_and(|&(at, _)| at + LENGTH <= now) {
            if let Some((_, identity)) = self.by_age.pop_front() {
                self.firsts.remove(&identity);
            }
        }
    }

    /// The message that was stored under this identity.
    pub(super) fn first(&self, identity: &Identity) -> Option<MessageId> {
        self.firsts.get(identity).cloned()
    }

    /// Remembers a message that is the first of its identity.
    pub(super) fn note(&mut self, identity: Identity, id: MessageId, now: Instant) {
        self.by_age.push_back((now, identity.clone()));
        self.firsts.insert(identity, id);
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.firsts.is_empty() && self.by_age.is_empty()
    }
}
