//! A slot: one of the places of a key.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use uuid::Uuid;

/// A slot. It remembers its last fencing token while nobody holds it.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) fence: u64,
    pub(super) held: Option<Held>,
    /// Since when it is free, if nobody holds it.
    free_since: Instant,
}

/// Who holds a slot, perhaps for longer than the lease.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) id: Uuid,
    pub(super) context: Option<Arc<str>>,
    pub(super) since: Instant,
    pub(super) until: Instant,
}

impl Slot {
    /// Makes a free one whose fencing tokens begin above `floor`.
    pub(super) fn new(floor: u64, now: Instant) -> Self {
        Self { fence: floor, held: None, free_since: now }
    }

    /// Who holds it and may go on: a lease ends when its time is reached, not after it.
    pub(super) fn holder(&self, now: Instant) -> Option<&Held> {
        self.held.as_ref().filter(|held| now < held.until)
    }

    pub(super) fn is_free(&self, now: Instant) -> bool {
        self.holder(now).is_none()
    }

    /// Gives it to a new holder, under the next fencing token.
    pub(super) fn give(&mut self, held: Held) {
        self.fence += 1;
        self.held = Some(held);
    }

    /// The lease of grant `id`, if it has not ended.
    pub(super) fn lease_of(&mut self, id: Uuid, now: Instant) -> Option<&mut Held> {
        self.held.as_mut().filter(|held| held.id == id && now < held.until)
    }

    /// Takes grant `id` away if it is the last that was given; `None` if not, else whether its lease had not ended.
    pub(super) fn take(&mut self, id: Uuid, now: Instant) -> Option<bool> {
        let held = self.held.take_if(|held| held.id == id)?;
        self.free_since = now.min(held.until);
        Some(now < held.until)
    }

    /// Whether it has been free for `idle`.
    pub(super) fn is_idle(&self, idle: Duration, now: Instant) -> bool {
        let free_since = self.held.as_ref().map_or(self.free_since, |held| held.until);
        free_since.checked_add(idle).is_some_and(|since| since <= now)
    }
}
