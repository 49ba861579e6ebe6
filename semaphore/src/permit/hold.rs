//! The hold on a slot: what a permit and its renewal share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Mutex as CallLock, MutexGuard as CallGuard};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::request::LONGEST_LEASE;
use crate::{Grant, Lessor, PermitRequest, PermitToken, Renewal, SemaphoreError, SemaphoreErrorKind};

/// The longest that a call of one statement is waited for, however long the lease.
const LONGEST_CALL: Duration = Duration::from_secs(10);

/// The hold on one slot.
#[derive(Debug)]
pub(super) struct Hold {
    token: PermitToken,
    lessor: Arc<dyn Lessor>,
    lease: Duration,
    /// The end of the maximum hold time.
    ends_for_good: Option<Instant>,
    lost: CancellationToken,
    /// When the last successful request was sent.
    asked: Mutex<Instant>,
    /// Held by whoever renews: the renewal itself, or a change of context.
    call: CallLock<()>,
    /// Whether the permit was released or dropped.
    ended: AtomicBool,
}

/// The right to renew.
pub(super) struct Alone<'a>(#[expect(dead_code, reason = "it is held, not read")] CallGuard<'a, ()>);

impl Hold {
    pub(super) fn new(request: &PermitRequest, grant: Grant, lessor: Arc<dyn Lessor>) -> Self {
        Self {
            token: grant.token,
            lessor,
            lease: request.lease().min(LONGEST_LEASE),
            ends_for_good: request.max_hold().and_then(|most| grant.asked.checked_add(most)),
            lost: CancellationToken::new(),
            asked: Mutex::new(grant.asked),
            call: CallLock::default(),
            ended: AtomicBool::new(false),
        }
    }

    pub(super) fn token(&self) -> &PermitToken {
        &self.token
    }

    pub(super) fn lessor(&self) -> &Arc<dyn Lessor> {
        &self.lessor
    }

    pub(super) fn lease(&self) -> Duration {
        self.lease
    }

    pub(super) fn lost(&self) -> &CancellationToken {
        &self.lost
    }

    /// When the lease is to be renewed.
    pub(super) fn due(&self) -> Instant {
        self.asked() + self.lease / 3
    }

    /// The end of the trusted time (S8), or of the maximum hold time if that comes first (S9).
    pub(super) fn trusted_until(&self) -> Instant {
        let trusted = self.asked() + self.lease / 10 * 9;
        self.ends_for_good.map_or(trusted, |end| end.min(trusted))
    }

    /// How long a call is waited for.
    pub(super) fn patience(&self) -> Duration {
        (self.lease / 5).min(LONGEST_CALL)
    }

    /// Gives the slot up if its time is over, and says so.
    pub(super) fn lose_if_over(&self, now: Instant) -> bool {
        let over = now >= self.trusted_until();
        if over {
            self.lose("its time is over");
        }
        over || self.lost.is_cancelled()
    }

    /// Tells the holder that the slot is to be regarded as lost.
    pub(super) fn lose(&self, why: &str) {
        if !self.ended.load(Ordering::Acquire) && !self.lost.is_cancelled() {
            warn!(permit = ?self.token, why, "a permit is lost");
            self.lost.cancel();
        }
    }

    /// Notes that the permit was released or dropped: nobody is told of a loss any longer.
    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::Release);
    }

    pub(super) fn abandon(&self) {
        self.lessor.abandon(self.token.clone());
    }

    /// Waits for the right to renew.
    pub(super) async fn alone(&self) -> Alone<'_> {
        Alone(self.call.lock().await)
    }

    /// Renews, once. An answer that is lost extends nothing.
    pub(super) async fn renew(&self, renewal: Renewal, _alone: &Alone<'_>) -> Result<(), SemaphoreError> {
        let asked = Instant::now();
        if self.lose_if_over(asked) {
            return Err(SemaphoreError::lost("the permit was lost before its renewal"));
        }
        let limit = self.patience().min(self.trusted_until() - asked);
        let call = self.lessor.renew(self.token.clone(), renewal);
        let answer = timeout(limit, call).await.unwrap_or_else(|_| {
            Err(SemaphoreError::indeterminate(format!("the renewal was not answered within {limit:?}")))
        });
        match answer.as_ref().map_err(SemaphoreError::kind) {
            Ok(()) => *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = asked,
            Err(SemaphoreErrorKind::Lost) => self.lose("a renewal found it taken or run out"),
            Err(_) => {}
        }
        answer
    }

    fn asked(&self) -> Instant {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
