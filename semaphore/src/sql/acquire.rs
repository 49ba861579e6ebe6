//! Acquiring a permit from a SQL database.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::ask::{Acquire, Attempt, Grow};
use super::{Dialect, SqlSemaphore, micros};
use crate::{FencingToken, Grant, Permit, PermitRequest, PermitToken, Semaphore, SemaphoreError};

/// How many slots are made at least, at a key's first use; from there on they are doubled, so that a large maximum of
/// which little is used costs little.
const FIRST_GROWTH: u16 = 16;
/// How often in a row a slot that is free but whose row is locked is tried for. Such a row is being taken, mostly, so that
/// to miss is right; but it may be being collected, or freed by who let its lease run out, and no commit lasts longer than
/// these tries, as a rule. A row that somebody keeps locked counts as held.
const CONTENDED_TRIES: u32 = 8;
/// How often slots are made anew that are gone again when they are tried for.
const GROWTHS: u32 = 24;

#[async_trait]
impl<D: Dialect> Semaphore for SqlSemaphore<D> {
    async fn try_acquire(&self, request: PermitRequest) -> Result<Option<Permit>, SemaphoreError> {
        let key = request.check(self.shortest_lease)?;
        let ask = Acquire {
            key,
            max: u16::try_from(request.max()).unwrap_or(u16::MAX),
            token: Uuid::new_v4(),
            context: request.context().cloned(),
            lease_us: micros::of(request.lease()),
        };
        Ok(self.take(&ask).await?.map(|grant| self.hand_over(&request, grant)))
    }
}

impl<D: Dialect> SqlSemaphore<D> {
    fn hand_over(&self, request: &PermitRequest, grant: Grant) -> Permit {
        let lessor = Arc::new(self.clone());
        match &self.renewals {
            Some(renewals) => Permit::new_on(renewals.handle(), request, grant, lessor),
            None => Permit::new(request, grant, lessor),
        }
    }

    /// Tries until it has a slot or knows that there is none: as a rule, once.
    async fn take(&self, ask: &Acquire) -> Result<Option<Grant>, SemaphoreError> {
        let ends = self.ends();
        let (mut contended, mut growths, mut made) = (0, 0, 0);
        loop {
            let (asked, attempt) = self.call_by(ends, ("take a permit", D::acquire), ask).await?;
            match attempt {
                Attempt::Hit { slot, fence } => return Ok(Some(grant(ask, (slot, fence), asked))),
                Attempt::Missing(there) if growths < GROWTHS => {
                    (growths, contended) = (growths + 1, 0);
                    made = ask.max.min(there.max(made).saturating_mul(2).max(FIRST_GROWTH));
                    self.grow(ends, ask, made).await?;
                }
                Attempt::Contended if contended < CONTENDED_TRIES => {
                    contended += 1;
                    sleep(Duration::from_micros(fastrand::u64(200..400) << contended.min(5))).await;
                }
                Attempt::Full | Attempt::Missing(_) | Attempt::Contended => return Ok(None),
            }
        }
    }

    /// Makes the slots below `to`, in steps.
    async fn grow(&self, ends: Instant, ask: &Acquire, to: u16) -> Result<(), SemaphoreError> {
        let mut from = 0;
        while from < to {
            let next = from.saturating_add(D::GROWTH).min(to);
            let grow = Grow { key: ask.key.clone(), from, to: next };
            self.call_by(ends, ("make a key's slots", D::grow), &grow).await?;
            from = next;
        }
        Ok(())
    }
}

fn grant(ask: &Acquire, (slot, fence): (u16, u64), asked: Instant) -> Grant {
    let token = PermitToken::new(ask.key.clone(), slot, ask.token);
    Grant { token, fencing_token: FencingToken::new(fence), asked }
}
