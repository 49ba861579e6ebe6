//! What is done with a visit.

use std::time::Duration;

use queue_core::{Context, QueueType, Verdict};

use tokio::time::sleep;

use crate::origin::Origin;
use crate::visit::Visit;

/// How often a visit is tried on the retry queue before it is given up.
const TRIES: u32 = 5;

/// On which queue the work is done, and how often it fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stage {
    /// The queue.
    pub(crate) queue: QueueType,
    /// The share of tries that fail: 0 to 1.
    pub(crate) fail_rate: f64,
    /// How long a try takes.
    pub(crate) work: Duration,
}

/// Scores a visit. A failure on the main queue sends it to the retry queue; there it is tried again, later each time,
/// and given up after five tries.
///
/// The work is to wait, or nothing, so that only the queues are seen; whether a try fails depends on the visit's id and the number
/// of the try, so that runs repeat.
pub(crate) async fn score(stage: Stage, visit: Visit, context: Context) -> Result<(), Verdict> {
    if !stage.work.is_zero() {
        sleep(stage.work).await;
    }
    let attempt = if stage.queue == QueueType::Retry { context.receive_count() } else { 0 };
    if !fails(Origin::of_visit(&context).number.unwrap_or_default(), attempt, stage.fail_rate) {
        return Ok(());
    }
    let reason = format!("session {} was made to fail", visit.sid);
    Err(if attempt < TRIES {
        Verdict::retry(reason)
    } else {
        Verdict::discard(format!("{reason}, {TRIES} times"))
    })
}

fn fails(visit: u64, attempt: u32, rate: f64) -> bool {
    let mut random = fastrand::Rng::with_seed(visit);
    (0..=attempt).map(|_| random.f64()).last().is_some_and(|share| share < rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visit_that_failed_fails_again_as_often_as_any_other() {
        let failed: Vec<u64> = (0..100_000).filter(|visit| fails(*visit, 0, 0.05)).collect();
        let again = failed.iter().filter(|visit| fails(**visit, 1, 0.05)).count();
        assert!((failed.len() / 30..failed.len() / 14).contains(&again), "{again} of {}", failed.len());
    }

    #[test]
    fn the_share_of_failures_is_the_rate_on_each_try_and_repeats() {
        let count = |attempt, rate| (0..10_000).filter(|visit| fails(*visit, attempt, rate)).count();
        assert_eq!((count(0, 0.0), count(0, 1.0)), (0, 10_000));
        for attempt in 0..=TRIES {
            assert!((400..600).contains(&count(attempt, 0.05)), "{}", count(attempt, 0.05));
            assert_eq!(count(attempt, 0.05), count(attempt, 0.05));
        }
    }
}
