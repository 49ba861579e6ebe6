//! Waiting for a permit.

use std::time::Duration;

use async_trait::async_trait;
use backon::{BackoffBuilder, ExponentialBuilder};
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::{Permit, PermitRequest, Semaphore, SemaphoreError};

/// The first pause; the next ones double.
const SHORTEST_PAUSE: Duration = Duration::from_millis(10);
/// The longest pause, without its jitter.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// How long a try may still take that was under way at the deadline: the slot that it may have got would stay taken for a
/// lease.
const GRACE: Duration = Duration::from_secs(1);

/// Shorthands for [`Semaphore`].
#[async_trait]
pub trait SemaphoreExt: Semaphore {
    /// Takes a permit, waiting for one for `deadline` at most; `Ok(None)`: all were held all the time.
    ///
    /// It tries at once, and again after pauses of 10 ms to 1 s, doubled by and by and up to twice as long at random, so
    /// that many who wait do not try in step. There is no queue: who waits longest does not come first. A zero `deadline`
    /// tries once. A try that is under way at the deadline may take a second more.
    ///
    /// # Guarantees
    /// Those of [`Semaphore::try_acquire`].
    ///
    /// # Cancel safety
    /// Safe: a dropped call may have taken a slot, which is free again when its lease ends (S10).
    ///
    /// # Errors
    /// *Permanent*, *lost*, *closed*: at once. *Transient*, *indeterminate*: the last try before the deadline failed like
    /// this; earlier ones are not told of.
    ///
    /// # Examples
    /// ```
    /// use std::time::Duration;
    /// use semaphore::{MemorySemaphore, PermitRequest, SemaphoreExt, lease, max};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), semaphore::SemaphoreError> {
    /// let semaphore = MemorySemaphore::new();
    /// let request = PermitRequest::new("search-index", max(1), lease(Duration::from_secs(60)));
    /// let held = semaphore.acquire(request.clone(), Duration::ZERO).await?;
    /// assert!(semaphore.acquire(request, Duration::from_secs(5)).await?.is_none());
    /// # drop(held);
    /// # Ok(()) }
    /// ```
    async fn acquire(
        &self,
        request: PermitRequest,
        deadline: Duration,
    ) -> Result<Option<Permit>, SemaphoreError> {
        let asked = Instant::now();
        let deadline = asked.checked_add(deadline).unwrap_or(asked + Duration::from_hours(24 * 365));
        let mut pauses = pauses();
        loop {
            let tried = timeout_at(deadline + GRACE, self.try_acquire(request.clone())).await;
            let answer =
                tried.unwrap_or_else(|_| Err(SemaphoreError::indeterminate("no answer to a try in time")));
            let retry_after = match &answer {
                Ok(None) => Duration::ZERO,
                Err(error) if error.kind().is_passing() => error.retry_after().unwrap_or_default(),
                Ok(Some(_)) | Err(_) => return answer,
            };
            let pause = pauses.next().unwrap_or(LONGEST_PAUSE).max(retry_after);
            let again = Instant::now() + pause;
            if again >= deadline {
                sleep_until(deadline).await;
                return answer;
            }
            sleep_until(again).await;
        }
    }
}

impl<S: Semaphore + ?Sized> SemaphoreExt for S {}

fn pauses() -> impl Iterator<Item = Duration> + Send {
    ExponentialBuilder::default()
        .with_min_delay(SHORTEST_PAUSE)
        .with_max_delay(LONGEST_PAUSE)
        .with_jitter()
        .without_max_times()
        .build()
}

#[cfg(test)]
mod tests;
