//! The semaphore-gated runner: a trigger's work runs only under a permit, in so many processes at once.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use semaphore::{Lease, Max, Permit, PermitRequest, Semaphore, SemaphoreError, SemaphoreErrorKind, lease};
use tokio::time::{Instant, timeout};
use tracing::warn;

use crate::identity::{fit, process_name};
use crate::{Run, RunOutcome, Runner};

/// How long a permit lasts unless it is renewed.
const LEASE: Lease = lease(Duration::from_secs(30));
/// How long a call of the semaphore may take: a trigger waits for it, and nothing else does.
const CALL: Duration = Duration::from_secs(10);

/// Runs a trigger's work only while it holds a permit of a [`Semaphore`]: over all processes, so many runs at once.
///
/// A beat tries the permit once and never waits for another holder: a miss ends the run as
/// [`Declined`](RunOutcome::Declined). The work finds its fencing token in its context
/// ([`RunContext::fencing_token`](crate::RunContext::fencing_token)). It is given up
/// ([`Cancelled`](RunOutcome::Cancelled), with a warning that says why) when it runs past its maximum run time and when
/// the permit is lost; work that blocks its thread can't be, and only its fencing token tells it from the next holder.
///
/// An error of the semaphore is a [`Failed`](RunOutcome::Failed) run, and so is a call that has no answer after 10 s:
/// the next beat tries again. What it may have taken is free when the lease ends.
///
/// # Guarantees
/// W13. Of the semaphore: S1, S2, S8 to S10.
///
/// # Drop
/// Of a run, with the runtime or after a stop that waited in vain: the permit is free when its lease ends, 30 s later at
/// most unless set.
///
/// # Examples
/// ```
/// # use std::time::Duration;
/// # use worker::{RunContext, SemaphoreGatedRunner, Trigger, max};
/// # use semaphore::MemorySemaphore;
/// # fn secs(seconds: u64) -> Duration { Duration::from_secs(seconds) }
/// # fn ms(milliseconds: u64) -> Duration { Duration::from_millis(milliseconds) }
/// async fn worker(context: RunContext) {
///     println!("indexing under {:?}", context.fencing_token());
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let semaphore = MemorySemaphore::new();
/// let running = Trigger::every(secs(2)).jitter(ms(300)).start_delay(ms(256))
///     .run(SemaphoreGatedRunner::new(semaphore, "search-index", max(8), secs(120)), worker);
/// # tokio::time::sleep(secs(5)).await;
/// assert_eq!(running.stop(secs(20)).await.succeeded, 3);
/// # }
/// ```
#[derive(Clone)]
pub struct SemaphoreGatedRunner {
    semaphore: Arc<dyn Semaphore>,
    key: Arc<str>,
    max: Max,
    longest: Duration,
    lease: Lease,
    context: Option<Arc<str>>,
}

impl SemaphoreGatedRunner {
    /// Runs under one of `max` permits of `key`, and for `longest` at most.
    pub fn new(
        semaphore: impl Semaphore + 'static,
        key: impl Into<Arc<str>>,
        max: Max,
        longest: Duration,
    ) -> Self {
        let (semaphore, key) = (Arc::new(semaphore), key.into());
        Self { semaphore, key, max, longest, lease: LEASE, context: None }
    }

    /// Sets how long the permit lasts unless it is renewed, and so how long a killed process keeps it: 30 s unless set.
    #[must_use]
    pub fn with_lease(mut self, lease: Lease) -> Self {
        self.lease = lease;
        self
    }

    /// Sets what stands beside the permit, for whoever lists its holders: host, process and trigger
    /// (`web-7/4711/search-index`) unless set.
    #[must_use]
    pub fn with_context(mut self, context: impl Into<Arc<str>>) -> Self {
        self.context = Some(context.into());
        self
    }

    fn request(&self, trigger: &str) -> PermitRequest {
        let own = || fit(&format!("{}/{trigger}", process_name())).into();
        PermitRequest::new(Arc::clone(&self.key), self.max, self.lease)
            .with_max_hold(self.longest)
            .with_context(self.context.clone().unwrap_or_else(own))
    }

    /// Runs the work until it ends or the permit is lost, which it also is at the end of the maximum run time.
    async fn under(&self, permit: &Permit, run: Run) -> RunOutcome {
        let (cancel, began) = (run.cancel_token(), Instant::now());
        let work = run.with_fencing_token(permit.fencing_token()).start();
        tokio::pin!(work);
        tokio::select! {
            biased; // the loss first: work does not begin under a permit that is lost already
            () = permit.lost().cancelled() => {}
            outcome = &mut work => return outcome,
        }
        self.warn_of_loss(began.elapsed());
        cancel.cancel();
        match work.await {
            RunOutcome::Succeeded => RunOutcome::Cancelled, // it was told to end early
            outcome => outcome,
        }
    }

    async fn release(&self, permit: Permit) {
        let told = permit.lost().is_cancelled();
        match in_time(permit.release()).await {
            Err(error) if told && error.kind() == SemaphoreErrorKind::Lost => {}
            Err(error) => warn!(key = self.key.as_ref(), %error, "the permit was not released"),
            Ok(()) => {}
        }
    }

    fn warn_of_loss(&self, ran: Duration) {
        let key = self.key.as_ref();
        if ran >= self.longest {
            warn!(key, ?ran, "the run is given up: it is past its maximum run time");
        } else {
            warn!(key, ?ran, "the run is given up: its permit was lost");
        }
    }
}

#[async_trait]
impl Runner for SemaphoreGatedRunner {
    async fn run(&self, run: Run) -> RunOutcome {
        let request = self.request(run.context().trigger());
        let cancelled = run.cancel_token();
        let tried = tokio::select! {
            biased;
            () = cancelled.cancelled() => return RunOutcome::Cancelled,
            tried = in_time(self.semaphore.try_acquire(request)) => tried,
        };
        let permit = match tried {
            Ok(Some(permit)) => permit,
            Ok(None) => return RunOutcome::declined(format!("no permit of {} is free", self.key)),
            Err(error) => return RunOutcome::failed(format!("no permit of {}: {error}", self.key)),
        };
        let outcome = self.under(&permit, run).await;
        self.release(permit).await;
        outcome
    }
}

/// Bounds a call of the semaphore.
async fn in_time<T>(
    call: impl Future<Output = Result<T, SemaphoreError>> + Send,
) -> Result<T, SemaphoreError> {
    let late = || SemaphoreError::indeterminate(format!("no answer within {CALL:?}"));
    timeout(CALL, call).await.unwrap_or_else(|_| Err(late()))
}

impl fmt::Debug for SemaphoreGatedRunner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SemaphoreGatedRunner")
            .field("key", &self.key)
            .field("max", &self.max)
            .field("longest", &self.longest)
            .field("lease", &self.lease)
            .finish_non_exhaustive()
    }
}
