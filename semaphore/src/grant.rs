//! A grant: what a backend answers when it gives a slot.

use tokio::time::Instant;

use crate::{FencingToken, PermitToken};

/// A slot that was given, not yet in anybody's hand: [`Permit::new`](crate::Permit::new) makes a permit of it.
#[derive(Clone, Debug)]
pub struct Grant {
    /// What the backend knows it by.
    pub token: PermitToken,
    /// Its fencing token.
    pub fencing_token: FencingToken,
    /// When the slot was asked for, by our clock, *before* the request was sent: the lease is trusted from here (S8).
    pub asked: Instant,
}
