//! Renewing and releasing a permit in a SQL database.

use std::sync::atomic::Ordering;

use async_trait::async_trait;

use super::ask::{Freed, Renew};
use super::{Dialect, SqlSemaphore, micros};
use crate::request::check_context;
use crate::{Lessor, PermitToken, Renewal, SemaphoreError};

#[async_trait]
impl<D: Dialect> Lessor for SqlSemaphore<D> {
    async fn renew(&self, token: PermitToken, renewal: Renewal) -> Result<(), SemaphoreError> {
        check_context(renewal.context.as_deref())?;
        let ask = Renew { token, lease_us: micros::of(renewal.lease), context: renewal.context };
        if self.call("renew a lease", D::renew, &ask).await? {
            return Ok(());
        }
        Err(SemaphoreError::lost("the lease has run out, or its slot was taken away"))
    }

    async fn release(&self, token: PermitToken) -> Result<(), SemaphoreError> {
        match self.call("release a permit", D::release, &token).await? {
            Freed::InTime => Ok(()),
            Freed::Late => Err(SemaphoreError::lost("the lease had run out; nobody else had taken the slot")),
            Freed::Stale => Err(SemaphoreError::lost("the slot is free already, or another holder's")),
        }
    }

    fn abandon(&self, token: PermitToken) {
        self.abandoned.fetch_add(1, Ordering::Relaxed);
        tracing::debug!(key = %token.key(), slot = token.slot(), "a permit was dropped without being released");
    }
}
