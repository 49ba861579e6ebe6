//! Work under a permit.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::pin;
use std::task::Poll;
use std::thread;

use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::Permit;
use crate::{SemaphoreError, SemaphoreErrorKind};

/// Runs `work` under `permit`.
pub(super) async fn run<W: Future>(permit: Permit, work: W) -> Result<W::Output, SemaphoreError> {
    let lost = permit.lost().clone();
    let done = until_lost(&lost, work).await;
    let released = permit.release().await;
    match (done, released) {
        (None, _) => Err(SemaphoreError::lost("the permit was lost, and its work was dropped")),
        (Some(Err(panic)), _) => resume_unwind(panic),
        (Some(Ok(_)), Err(error)) if error.kind() == SemaphoreErrorKind::Lost => Err(error),
        (Some(Ok(output)), released) => {
            if let Err(error) = released {
                warn!(%error, "a permit could not be released and is left to expire");
            }
            Ok(output)
        }
    }
}

/// The end of `work`, with its panic if it panicked; `None`: it was dropped, as the permit was lost.
async fn until_lost<W: Future>(lost: &CancellationToken, work: W) -> Option<thread::Result<W::Output>> {
    let mut work = pin!(work);
    let caught = poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
        Err(panic) => Poll::Ready(Err(panic)),
    });
    tokio::select! {
        biased;
        () = lost.cancelled() => None,
        done = caught => Some(done),
    }
}
