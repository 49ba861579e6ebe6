//! Renewing and releasing at a memory semaphore.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use async_trait::async_trait;
use tokio::task::coop::consume_budget;

use super::shared::{Shared, count};
use crate::request::check_context;
use crate::{Lessor, PermitToken, Renewal, RenewalThread, SemaphoreError};

/// What stands behind the permits of a memory semaphore.
#[derive(Debug)]
pub(super) struct MemoryLessor {
    shared: Arc<Shared>,
    _thread: Option<RenewalThread>,
}

impl MemoryLessor {
    pub(super) fn new(shared: Arc<Shared>, thread: Option<RenewalThread>) -> Self {
        Self { shared, _thread: thread }
    }

    /// Counts a success or a loss.
    fn judge(&self, done: bool, counter: &AtomicU64) -> Result<(), SemaphoreError> {
        count(if done { counter } else { &self.shared.lost }, 1);
        if done {
            Ok(())
        } else {
            Err(SemaphoreError::lost("the lease has run out, or the slot is another's"))
        }
    }
}

#[async_trait]
impl Lessor for MemoryLessor {
    async fn renew(&self, token: PermitToken, renewal: Renewal) -> Result<(), SemaphoreError> {
        check_context(renewal.context.as_deref())?;
        consume_budget().await;
        let renewed = self.shared.act(|table, now| {
            let held = table.slot(&token).and_then(|slot| slot.lease_of(token.id(), now));
            let Some(held) = held else { return false };
            held.until = now + renewal.lease;
            held.context = renewal.context.or_else(|| held.context.take());
            true
        });
        self.judge(renewed, &self.shared.renewed)
    }

    async fn release(&self, token: PermitToken) -> Result<(), SemaphoreError> {
        consume_budget().await;
        let in_time = self.shared.act(|table, now| table.slot(&token)?.take(token.id(), now));
        self.judge(in_time == Some(true), &self.shared.released)
    }

    /// Takes no lock: it is called from `Drop` (S10).
    fn abandon(&self, _token: PermitToken) {
        count(&self.shared.abandoned, 1);
    }
}
