//! Renewing and releasing, with one thing wrong.

use std::sync::Arc;

use async_trait::async_trait;
use semaphore::{Lessor, PermitToken, Renewal, SemaphoreError};
use tokio::task::yield_now;
use tokio::time::Instant;

use super::broken::Broken;
use super::fault::Fault;
use super::table::Row;

fn done(is_done: bool) -> Result<(), SemaphoreError> {
    if is_done { Ok(()) } else { Err(SemaphoreError::lost("another's")) }
}

impl Broken {
    fn may_renew(&self, row: &Row, token: &PermitToken) -> bool {
        let ours = row.id == Some(token.id());
        match self.fault {
            Fault::RenewsExpired => ours,
            Fault::RenewsReleased => row.id.is_none() || row.is_held_by(token.id()),
            Fault::RenewsForAnyone => row.is_held(),
            _ => row.is_held_by(token.id()),
        }
    }

    fn write_context(&self, row: &mut Row, renewal: &Renewal) {
        match (&renewal.context, self.fault) {
            (Some(_), Fault::KeepsContext) => {}
            (Some(context), Fault::CutContexts) => {
                row.context = Some(context.chars().take(9).collect::<String>().into());
            }
            (Some(context), _) => row.context = Some(Arc::clone(context)),
            (None, Fault::DropsContext) => row.context = None,
            (None, _) => {}
        }
    }
}

#[async_trait]
impl Lessor for Broken {
    async fn renew(&self, token: PermitToken, renewal: Renewal) -> Result<(), SemaphoreError> {
        yield_now().await;
        let mut table = self.table();
        let Some(row) = table.named(&token) else { return done(false) };
        if !self.may_renew(row, &token) {
            return done(false);
        }
        let keeps = match self.fault {
            Fault::RenewsNothing => true,
            Fault::ContextRenewsNothing => renewal.context.is_some(),
            _ => false,
        };
        if !keeps {
            row.id.get_or_insert(token.id());
            row.until = Instant::now() + self.lease(renewal.lease);
        }
        self.write_context(row, &renewal);
        done(true)
    }

    async fn release(&self, token: PermitToken) -> Result<(), SemaphoreError> {
        yield_now().await;
        self.hold_up_if(Fault::LeaksReleases, &token).await;
        let mut table = self.table();
        let Some(row) = table.named(&token) else { return done(false) };
        let (ours, in_time) = (row.id == Some(token.id()), row.is_held());
        if self.fault == Fault::ReleasesTwice && row.id.is_none() {
            return done(true);
        }
        if !ours && self.fault != Fault::ReleasesForAnyone {
            return done(false);
        }
        if self.fault != Fault::SlowRelease {
            row.free();
        }
        done(in_time && ours || self.fault == Fault::ReleasesExpired)
    }

    fn abandon(&self, token: PermitToken) {
        if self.fault == Fault::LeaksDropped
            && let Some(row) = self.table().named(&token)
        {
            row.until += std::time::Duration::from_hours(1_000);
        }
    }
}
