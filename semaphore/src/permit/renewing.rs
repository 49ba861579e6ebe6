//! The renewal of one permit: a task that sleeps two thirds of the time and more.

use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use tokio::time::{Instant, sleep, sleep_until};
use tracing::debug;

use super::hold::Hold;
use crate::{Renewal, SemaphoreError, SemaphoreErrorKind};

/// Renews until the slot is lost.
pub(super) async fn keep(last_word: LastWord) {
    let hold = &last_word.0;
    loop {
        sleep_until(hold.due().min(hold.trusted_until())).await;
        let now = Instant::now();
        if hold.lose_if_over(now) {
            return;
        }
        if hold.due() > now {
            continue; // a change of context has renewed it
        }
        tokio::select! {
            biased;
            () = until_over(hold) => return,
            kept = until_renewed(hold) => if !kept { return },
        }
    }
}

/// Tells the holder, whatever ends the renewal: a panic in the backend, or the end of the runtime it is on, even before it
/// was polled.
pub(super) struct LastWord(Arc<Hold>);

impl LastWord {
    pub(super) fn of(hold: &Arc<Hold>) -> Self {
        Self(Arc::clone(hold))
    }
}

impl Drop for LastWord {
    fn drop(&mut self) {
        self.0.lose("it is no longer renewed");
    }
}

/// Waits until the trusted time has ended, however often it is extended meanwhile.
async fn until_over(hold: &Hold) {
    while !hold.lose_if_over(Instant::now()) {
        sleep_until(hold.trusted_until()).await;
    }
}

/// Tries until it is renewed; `false`: it is lost.
async fn until_renewed(hold: &Hold) -> bool {
    let mut pauses = pauses(hold.lease());
    loop {
        let alone = hold.alone().await;
        if hold.due() > Instant::now() {
            return true;
        }
        let answer = hold.renew(Renewal::new(hold.lease()), &alone).await;
        drop(alone);
        match answer {
            Ok(()) => return true,
            Err(error) if error.kind() == SemaphoreErrorKind::Lost => return false,
            Err(error) => {
                debug!(permit = ?hold.token(), %error, "a renewal failed");
                sleep(pause_after(&error, &mut pauses, hold.lease())).await;
            }
        }
    }
}

/// How long to wait after an error. One that does not pass by itself is not hurried; but somebody may repair it, such as
/// a server that has just become read-only, while the slot is still ours.
pub(super) fn pause_after(
    error: &SemaphoreError,
    pauses: &mut ExponentialBackoff,
    lease: Duration,
) -> Duration {
    let pause = if error.kind().is_passing() { pauses.next() } else { None };
    pause.unwrap_or(lease / 4).max(error.retry_after().unwrap_or_default())
}

/// Pauses between tries: a sixtieth of the lease, doubling up to a twelfth, and up to as much again at random.
pub(super) fn pauses(lease: Duration) -> ExponentialBackoff {
    ExponentialBuilder::default()
        .with_min_delay(lease / 60)
        .with_max_delay(lease / 12)
        .with_jitter()
        .without_max_times()
        .build()
}
