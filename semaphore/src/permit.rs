//! A permit: one slot in the hands of one holder, for as long as its lease is renewed.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::{FencingToken, Grant, Lessor, PermitRequest, PermitToken, SemaphoreError};

/// A slot that is ours until [`lost`](Self::lost) fires. It renews itself.
///
/// # Drop
/// S10: does no I/O. Renewal ends, and the slot is free when the lease does. [`release`](Self::release) frees it at once.
#[derive(Debug)]
#[must_use = "a permit that is dropped is no longer renewed"]
pub struct Permit {
    token: PermitToken,
    fencing_token: FencingToken,
    lessor: Arc<dyn Lessor>,
    lost: CancellationToken,
}

impl Permit {
    /// Hands `grant` to a holder, to be renewed and released at `lessor`.
    pub fn new(_request: &PermitRequest, grant: Grant, lessor: Arc<dyn Lessor>) -> Self {
        Self {
            token: grant.token,
            fencing_token: grant.fencing_token,
            lessor,
            lost: CancellationToken::new(),
        }
    }

    /// What the backend knows it by.
    pub fn token(&self) -> &PermitToken {
        &self.token
    }

    /// The number by which a protected resource tells this holder from a former one.
    pub fn fencing_token(&self) -> FencingToken {
        self.fencing_token
    }

    /// Fires before the lease can end unrenewed, and when it was taken from us (S8).
    pub fn lost(&self) -> &CancellationToken {
        &self.lost
    }

    /// Writes `context` beside the slot, for whoever lists the holders; the lease begins anew.
    ///
    /// # Errors
    /// Those of [`Lessor::renew`].
    pub async fn set_context(&mut self, _context: impl Into<Arc<str>> + Send) -> Result<(), SemaphoreError> {
        let _ = Duration::ZERO;
        Err(SemaphoreError::closed("not yet"))
    }

    /// Frees the slot.
    ///
    /// # Errors
    /// Those of [`Lessor::release`].
    pub async fn release(self) -> Result<(), SemaphoreError> {
        self.lessor.release(self.token.clone()).await
    }
}
