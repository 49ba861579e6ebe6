//! What a database is asked, and what it answers.

use std::sync::Arc;

use uuid::Uuid;

use crate::{PermitToken, SemaphoreKey};

/// Asks for a slot.
#[derive(Debug)]
pub struct Acquire {
    pub(super) key: SemaphoreKey,
    pub(super) max: u16,
    pub(super) token: Uuid,
    pub(super) context: Option<Arc<str>>,
    pub(super) lease_us: i64,
}

/// The answer to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// A slot was taken.
    Hit {
        /// Which.
        slot: u16,
        /// Its fencing number.
        fence: u64,
    },
    /// Every slot below the maximum is held.
    Full,
    /// Only so many slots below the maximum have been made, and none of them was free.
    Missing(u16),
    /// A free slot was there, but another statement was at it just then.
    Contended,
}

/// Asks for the slots below `to` to be made, `from` where they were left off.
#[derive(Debug)]
#[cfg_attr(
    not(any(feature = "mysql", feature = "postgres")),
    expect(dead_code, reason = "SQLite makes a slot where it takes it")
)]
pub struct Grow {
    pub(super) key: SemaphoreKey,
    pub(super) from: u16,
    pub(super) to: u16,
}

/// Asks for a longer lease.
#[derive(Debug)]
pub struct Renew {
    pub(super) token: PermitToken,
    pub(super) lease_us: i64,
    pub(super) context: Option<Arc<str>>,
}

/// The answer to a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freed {
    /// The lease still ran.
    InTime,
    /// The lease had run out; nobody had taken the slot.
    Late,
    /// The token is not, or no longer, that of the slot.
    Stale,
}

/// A slot that is held, as the database shows it.
#[derive(Debug)]
pub struct Held {
    pub(super) key: String,
    pub(super) slot: u16,
    pub(super) token: Uuid,
    pub(super) context: Option<String>,
    pub(super) fence: u64,
    pub(super) since_us: i64,
    pub(super) until_us: i64,
    pub(super) remaining_us: i64,
}

/// Asks for the collection of keys of which no slot was held for `idle_us`.
#[derive(Debug)]
pub struct Collect {
    pub(super) idle_us: i64,
    pub(super) limit: i64,
}
