//! A permit: one slot in the hands of one holder, for as long as its lease is renewed.

mod hold;
mod releasing;
mod renewing;
mod running;

use std::fmt;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::request::check_context;
use crate::{FencingToken, Grant, Lessor, PermitRequest, PermitToken, Renewal, SemaphoreError};
use hold::Hold;
use renewing::LastWord;

/// A slot that is ours until [`lost`](Self::lost) fires. It renews itself.
///
/// Its lease is renewed every third of it, by a task of its own, so that work which takes long does not starve the
/// renewal. A call that is not answered within a fifth of the lease (10 s at most) is given up and counts as not made.
/// What fails for a passing reason is tried again after a sixtieth to a sixth of the lease; what fails for good, after
/// a quarter of it, as even that may be repaired in time. All this ends with the *trusted time*: the lease, counted
/// from before the last successful request was sent, less a tenth of it as a margin for late timers and for clocks that run
/// at slightly different rates.
///
/// [`run`](Self::run) is the simplest way to use it, [`release`](Self::release) the other; it takes the permit, so
/// that nothing can be done with it afterwards:
///
/// ```compile_fail,E0382
/// async fn releases_twice(permit: semaphore::Permit) {
///     permit.release().await.ok();
///     permit.release().await.ok();
/// }
/// ```
///
/// # Guarantees
/// S8, S9, S10.
///
/// # Drop
/// S10: does no I/O and spawns nothing. Renewal ends, the backend counts it, and the slot is free when the lease ends.
/// [`release`](Self::release) frees it at once. [`lost`](Self::lost) does not fire.
#[must_use = "a permit that is dropped is no longer renewed"]
pub struct Permit {
    hold: Arc<Hold>,
    fencing_token: FencingToken,
    renewal: AbortOnDropHandle<()>,
    settled: bool,
}

impl Permit {
    /// Hands `grant` to a holder, to be renewed and released at `lessor`, and begins to renew it on the present
    /// runtime. For whoever writes a backend, or tests what holds a permit.
    ///
    /// # Panics
    /// Outside a tokio runtime, or inside one without a timer.
    pub fn new(request: &PermitRequest, grant: Grant, lessor: Arc<dyn Lessor>) -> Self {
        Self::new_on(&Handle::current(), request, grant, lessor)
    }

    /// The same, renewed on another runtime: that of a [`RenewalThread`](crate::RenewalThread), for services whose own
    /// gets blocked. When that runtime is shut down, the permit is [`lost`](Self::lost).
    pub fn new_on(runtime: &Handle, request: &PermitRequest, grant: Grant, lessor: Arc<dyn Lessor>) -> Self {
        let fencing_token = grant.fencing_token;
        let hold = Arc::new(Hold::new(request, grant, lessor));
        hold.lose_if_over(Instant::now()); // the grant may have been on its way for too long
        let renewal = AbortOnDropHandle::new(runtime.spawn(renewing::keep(LastWord::of(&hold))));
        Self { hold, fencing_token, renewal, settled: false }
    }

    /// What the backend knows it by.
    pub fn token(&self) -> &PermitToken {
        self.hold.token()
    }

    /// The number by which a protected resource tells this holder from a former one.
    pub fn fencing_token(&self) -> FencingToken {
        self.fencing_token
    }

    /// The backend's half. What is released or renewed there by the [token](Self::token), the permit doesn't know of.
    pub fn lessor(&self) -> &Arc<dyn Lessor> {
        self.hold.lessor()
    }

    /// Fires when the slot is to be regarded as lost: at the end of the trusted time at the latest (S8), at once when a
    /// renewal finds it taken, and at the end of the request's maximum hold time (S9). Once fired it stays so, even if
    /// the backend would still take a renewal. It does not fire because the permit was released or dropped.
    ///
    /// A process that is frozen hears of nothing until it goes on: then only the
    /// [fencing token](Self::fencing_token), checked by what it writes to, keeps it from doing harm.
    pub fn lost(&self) -> &CancellationToken {
        self.hold.lost()
    }

    /// Writes `context` beside the slot, for whoever lists the holders; the lease begins anew.
    ///
    /// It never overlaps with a renewal. An error leaves the permit as it was, unless it is *lost*.
    ///
    /// # Cancel safety
    /// Safe: a dropped call may or may not have taken effect, or may yet take it; nothing of it is trusted.
    ///
    /// # Errors
    /// *Permanent*: longer than 255 bytes, or with a NUL. *Lost*: [`lost`](Self::lost) has fired, or does now.
    /// *Transient*, *indeterminate*: ask again; no answer within a fifth of the lease is indeterminate.
    pub async fn set_context(&mut self, context: impl Into<Arc<str>> + Send) -> Result<(), SemaphoreError> {
        let context = context.into();
        check_context(Some(&context))?;
        let alone = self.hold.alone().await;
        self.hold.renew(Renewal::new(self.hold.lease()).with_context(context), &alone).await
    }

    /// Ends the renewal and frees the slot.
    ///
    /// An error that passes is met with two more tries, after short pauses; then the slot is left to expire. A
    /// try that finds nothing to free, after one whose answer was lost while the slot was trusted, counts as success.
    /// If [`lost`](Self::lost) has fired, the backend is asked once all the same, so that the slot becomes free.
    ///
    /// # Guarantees
    /// S5, S10.
    ///
    /// # Cancel safety
    /// Safe: a dropped call leaves the slot free or expiring, and counts as a drop.
    ///
    /// # Errors
    /// *Lost*: the work was not protected to its end, as the lease ran out or was taken, or [`lost`](Self::lost) had fired;
    /// the slot is free, or another's. All others: it was not freed, or we can't know, and it expires.
    pub async fn release(mut self) -> Result<(), SemaphoreError> {
        self.hold.end();
        self.renewal.abort();
        drop((&mut self.renewal).await); // no renewal overlaps with the release
        let answer = releasing::release(&self.hold).await;
        self.settled = answer.settled;
        answer.result
    }

    /// Runs `work` under the permit, drops it if the permit is lost, and releases when it is done.
    ///
    /// If `work` ended and only the release failed for another reason than *lost*, its output is answered: the
    /// slot expires. If `work` panics, the permit is released and the panic goes on.
    ///
    /// # Examples
    /// ```
    /// # use semaphore::{Permit, SemaphoreError, FencingToken};
    /// # async fn rebuild(fence: FencingToken) -> u64 { fence.get() }
    /// async fn with_permit(permit: Permit) -> Result<u64, SemaphoreError> {
    ///     let fence = permit.fencing_token();
    ///     permit.run(rebuild(fence)).await
    /// }
    /// ```
    ///
    /// # Cancel safety
    /// Dropping it drops `work` where it is and then the permit, whose slot is free when its lease ends. What
    /// `work` started elsewhere, such as a task or a blocking call, goes on.
    ///
    /// # Errors
    /// *Lost*: `work` was dropped, or it ended when the slot was no longer ours; an output is dropped too.
    pub async fn run<W: Future>(self, work: W) -> Result<W::Output, SemaphoreError> {
        running::run(self, work).await
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.hold.end();
        if !self.settled {
            self.hold.abandon();
        }
    }
}

impl fmt::Debug for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit")
            .field("token", self.token())
            .field("fencing_token", &self.fencing_token)
            .field("lost", &self.lost().is_cancelled())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
