//! A hold: one permit from its grant to its end, as the database sees it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use harness::monotonic;
use semaphore::{Holder, Permit, SemaphoreError, SemaphoreErrorKind, SemaphoreKey};
use tokio::time::sleep;

use crate::Failure;
use crate::event::Event;
use crate::holder::{Holding, KEY, now};

/// How long to give the permit to notice that it is lost: its timer is due by then, and after a freeze overdue.
const NOTICE: Duration = Duration::from_millis(20);

/// One permit from its grant to its end.
///
/// What it writes lies within what is true. The database itself says since when and until when the slot is ours and what
/// time it is; renewals only move the end further away; before a release the time is asked for and written down, and
/// the release is sent after that. A process that is killed anywhere in between leaves a hold that ends when the
/// database last said it would.
pub(crate) struct Hold<'a> {
    holding: &'a Holding,
    permit: Permit,
    grant: String,
    /// The database's time when it was asked last.
    latest: Option<u64>,
}

impl<'a> Hold<'a> {
    pub(crate) fn new(holding: &'a Holding, permit: Permit) -> Self {
        let grant = permit.token().id().to_string();
        Self { holding, permit, grant, latest: None }
    }

    /// Holds it for so long, or until it is lost.
    pub(crate) async fn hold(mut self, time: Duration) -> Result<(), Failure> {
        let (run, fence) = (self.holding.job.run, self.permit.fencing_token().get());
        let slot = self.permit.token().slot();
        self.holding.write(Event::Grant { run, grant: self.grant.clone(), slot, fence })?;
        let end = monotonic() + time;
        while monotonic() < end && !self.permit.lost().is_cancelled() {
            self.look().await?;
            sleep(Duration::from_millis(fastrand::u64(20..80))).await;
        }
        if fastrand::u8(..10) == 0 {
            drop(self.permit);
            return self.holding.left();
        }
        self.release().await
    }

    /// Asks the database who holds what, and writes down what it says of this one.
    async fn look(&mut self) -> Result<(), Failure> {
        let holders = match self.holders().await {
            Ok(holders) => holders,
            Err(error) => return self.holding.failed(&error),
        };
        let time = holders.first().map(time_of);
        self.latest = time.or(self.latest);
        let ours = holders.iter().find(|holder| holder.token.id() == self.permit.token().id());
        let (grant, slot) = (self.grant.clone(), self.permit.token().slot());
        if let Some(ours) = ours {
            let (since, now, until) = (microseconds(ours.since), time_of(ours), microseconds(ours.until));
            return self.holding.write(Event::Seen { grant, slot, since, now, until });
        }
        sleep(NOTICE).await;
        if self.permit.lost().is_cancelled() {
            return Ok(());
        }
        self.holding.write(Event::Unlisted { grant, slot, now: time })
    }

    async fn release(mut self) -> Result<(), Failure> {
        self.look().await?;
        if let Some(now) = self.latest {
            self.holding.write(Event::Ending { grant: self.grant.clone(), now })?;
        }
        match self.permit.release().await {
            Ok(()) => self.holding.write(Event::Gone { run: self.holding.job.run, at: now() }),
            Err(error) => {
                if error.kind() != SemaphoreErrorKind::Lost {
                    self.holding.failed(&error)?;
                }
                self.holding.left()
            }
        }
    }

    async fn holders(&self) -> Result<Vec<Holder>, SemaphoreError> {
        self.holding.backend.holders(SemaphoreKey::new(KEY)?).await
    }
}

/// The database's time when it listed a holder.
fn time_of(holder: &Holder) -> u64 {
    microseconds(holder.until.checked_sub(holder.remaining).unwrap_or(UNIX_EPOCH))
}

fn microseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}
