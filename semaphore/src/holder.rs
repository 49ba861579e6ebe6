//! A holder: who has a slot, as the backend shows it.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::{FencingToken, PermitToken};

/// Who has a slot of a key, by the backend's clock.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Holder {
    /// The grant it holds: its key, its slot.
    pub token: PermitToken,
    /// Its fencing token.
    pub fencing_token: FencingToken,
    /// What it wrote beside the slot.
    pub context: Option<Arc<str>>,
    /// Since when it holds it.
    pub since: SystemTime,
    /// When its lease ends unless it is renewed.
    pub until: SystemTime,
    /// How much of the lease is left, by the backend's clock.
    pub remaining: Duration,
}

impl Holder {
    /// Makes a holder: for backends and for tests.
    pub fn new(
        token: PermitToken,
        fencing_token: FencingToken,
        (since, until): (SystemTime, SystemTime),
    ) -> Self {
        Self { token, fencing_token, context: None, since, until, remaining: Duration::ZERO }
    }

    /// Sets what it wrote beside the slot.
    #[must_use]
    pub fn with_context(mut self, context: Option<Arc<str>>) -> Self {
        self.context = context;
        self
    }

    /// Sets how much of the lease is left.
    #[must_use]
    pub fn with_remaining(mut self, remaining: Duration) -> Self {
        self.remaining = remaining;
        self
    }
}
