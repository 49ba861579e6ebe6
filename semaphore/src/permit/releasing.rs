//! The release of a permit: a few tries, and what their answers mean together.

use tokio::time::{Instant, sleep, timeout};
use tracing::debug;

use super::hold::Hold;
use super::renewing::pauses;
use crate::{SemaphoreError, SemaphoreErrorKind};

/// How often a release is tried.
const TRIES: usize = 3;

/// What came of a release.
pub(super) struct Released {
    /// Whether the backend has nothing left of it.
    pub(super) settled: bool,
    /// What the holder is told.
    pub(super) result: Result<(), SemaphoreError>,
}

/// Frees the slot; the renewal has ended.
pub(super) async fn release(hold: &Hold) -> Released {
    let lost = hold.lost().is_cancelled();
    let answer = if lost { once(hold).await } else { try_thrice(hold).await };
    let settled = match &answer {
        Ok(()) => true,
        Err(error) => error.kind() == SemaphoreErrorKind::Lost,
    };
    let result = match answer {
        Ok(()) if lost => Err(SemaphoreError::lost("the permit was lost before it was released")),
        Err(error) if lost && error.kind() != SemaphoreErrorKind::Lost => {
            Err(SemaphoreError::lost("the permit was lost before it was released").with_source(error))
        }
        answer => answer,
    };
    Released { settled, result }
}

/// Tries again what fails for a passing reason. After an answer that was lost, *lost* is what our own success looks like,
/// as long as nobody else can have had the slot.
async fn try_thrice(hold: &Hold) -> Result<(), SemaphoreError> {
    let mut freed_perhaps = false;
    for pause in pauses(hold.lease()).take(TRIES - 1) {
        let trusted = Instant::now() < hold.trusted_until();
        match once(hold).await {
            Err(error) if error.kind().is_passing() => {
                debug!(permit = ?hold.token(), %error, "a release failed");
                freed_perhaps |= trusted && error.kind() == SemaphoreErrorKind::Indeterminate;
                sleep(pause.max(error.retry_after().unwrap_or_default().min(hold.patience()))).await;
            }
            answer => return judge(answer, freed_perhaps),
        }
    }
    judge(once(hold).await, freed_perhaps)
}

fn judge(answer: Result<(), SemaphoreError>, freed_perhaps: bool) -> Result<(), SemaphoreError> {
    match answer {
        Err(error) if freed_perhaps && error.kind() == SemaphoreErrorKind::Lost => Ok(()),
        answer => answer,
    }
}

async fn once(hold: &Hold) -> Result<(), SemaphoreError> {
    let limit = hold.patience();
    let answer = timeout(limit, hold.lessor().release(hold.token().clone())).await;
    answer.unwrap_or_else(|_| {
        Err(SemaphoreError::indeterminate(format!("the release was not answered within {limit:?}")))
    })
}
