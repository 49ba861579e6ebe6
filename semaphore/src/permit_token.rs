//! What a backend knows a grant by.

use std::fmt;

use uuid::Uuid;

use crate::SemaphoreKey;

/// Which grant of which slot: made anew for every grant (S3), so that a stale one does nothing (S5).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PermitToken {
    key: SemaphoreKey,
    slot: u16,
    id: Uuid,
}

impl PermitToken {
    /// Names the grant `id` of a slot of `key`, counted from zero.
    pub fn new(key: SemaphoreKey, slot: u16, id: Uuid) -> Self {
        Self { key, slot, id }
    }

    /// The key.
    pub fn key(&self) -> &SemaphoreKey {
        &self.key
    }

    /// The slot, counted from zero.
    pub fn slot(&self) -> u16 {
        self.slot
    }

    /// What tells this grant of the slot from all others.
    pub fn id(&self) -> Uuid {
        self.id
    }
}

impl fmt::Debug for PermitToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.key, self.slot, self.id)
    }
}
