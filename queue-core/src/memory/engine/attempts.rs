//! The attempts to receive whose answers may have been lost, by their ids (Q8).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::super::key::Key;

/// How long an attempt can be repeated (`ReceiveRequestAttemptId` of `ReceiveMessage` in the Amazon SQS API
/// reference). Counted from the first one; repeating it does not make it longer.
const LIFETIME: Duration = Duration::from_mins(5);

/// Tells an attempt from an earlier one under the same id.
pub(super) type Attempt = u64;

/// What the attempts of the last five minutes brought.
///
/// An attempt is forgotten as soon as one of its messages is deleted, expires, or has its visibility changed: from
/// then on its id is worth nothing. So there are never more attempts than messages in flight.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    made: Attempt,
    by_id: HashMap<Arc<str>, Attempt>,
    brought: BTreeMap<Attempt, Brought>,
}

#[derive(Debug)]
struct Brought {
    id: Arc<str>,
    at: Instant,
    messages: Vec<Key>,
}

impl Attempts {
    /// Forgets what is too old to be repeated.
    pub(super) fn advance(&mut self, now: Instant) {
        while let Some((&attempt, brought)) = self.brought.first_key_value()
            && brought.at + LIFETIME <= now
        {
            self.forget(attempt);
        }
    }

    /// Remembers what was brought under an id.
    pub(super) fn note(&mut self, id: &Arc<str>, messages: Vec<Key>, now: Instant) -> Attempt {
        self.made += 1;
        if let Some(before) = self.by_id.insert(Arc::clone(id), self.made) {
            self.brought.remove(&before);
        }
        self.brought.insert(self.made, Brought { id: Arc::clone(id), at: now, messages });
        self.made
    }

    /// What an attempt under this id brought, all of it still as it was.
    pub(super) fn find(&self, id: &str) -> Option<(Attempt, Vec<Key>)> {
        let attempt = *self.by_id.get(id)?;
        Some((attempt, self.brought.get(&attempt)?.messages.clone()))
    }

    /// Keeps of an attempt the first `count` messages.
    pub(super) fn shorten(&mut self, attempt: Attempt, count: usize) {
        if let Some(brought) = self.brought.get_mut(&attempt) {
            brought.messages.truncate(count);
        }
    }

    pub(super) fn forget(&mut self, attempt: Attempt) {
        if let Some(brought) = self.brought.remove(&attempt) {
            self.by_id.remove(&brought.id);
        }
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.by_id.is_empty() && self.brought.is_empty()
    }
}
