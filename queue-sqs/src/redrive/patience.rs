//! How long a redrive bears failures.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use queue_core::QueueError;
use tokio::time::{Instant, sleep};

/// How long failures are borne.
#[derive(Debug)]
pub(super) struct Patience {
    pauses: ExponentialBackoff,
    until: Option<Instant>,
}

impl Patience {
    /// No try is made after `until`.
    pub(super) fn new(until: Option<Instant>) -> Self {
        Self { pauses: pauses(), until }
    }

    /// Waits before the next try; gives the error back if there can be none.
    pub(super) async fn bear(&mut self, error: QueueError) -> Result<(), QueueError> {
        let Some(pause) = self.pauses.next().filter(|_| error.kind().is_passing()) else { return Err(error) };
        let pause = pause.max(error.retry_after().unwrap_or_default());
        if self.until.is_some_and(|until| Instant::now() + pause >= until) {
            return Err(error);
        }
        sleep(pause).await;
        Ok(())
    }

    /// After a success.
    pub(super) fn renew(&mut self) -> Result<(), QueueError> {
        self.pauses = pauses();
        match self.until {
            Some(until) if Instant::now() >= until => {
                Err(QueueError::transient("redrive: the target takes too long"))
            }
            _ => Ok(()),
        }
    }
}

/// Some ten seconds in all.
fn pauses() -> ExponentialBackoff {
    ExponentialBuilder::new()
        .with_min_delay(Duration::from_millis(200))
        .with_max_delay(Duration::from_secs(5))
        .with_max_times(6)
        .with_jitter()
        .build()
}
