//! The upkeep: removing what is past its retention, in small steps, and a warning when something holds it back.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::queue::Shared;
use crate::store::Store;

/// How often a process sweeps a queue that it receives from. A message past its retention is not delivered meanwhile.
const SWEEP_INTERVAL: Duration = Duration::from_secs(10);
/// How many messages one step removes: few enough to block nobody.
const STEP: u32 = 500;
/// How often the oldest transaction is looked at, and from which age on it is worth a warning.
const WARN_INTERVAL: Duration = Duration::from_mins(1);

/// When the database's oldest transaction is looked at next.
#[derive(Debug, Default)]
pub(crate) struct Upkeep(Due);

/// When something is due next: at once, to begin with.
#[derive(Debug, Default)]
pub(crate) struct Due(Mutex<Option<Instant>>);

impl Due {
    /// Whether it is due; if so, it is next due after `interval`.
    fn take(&self, interval: Duration) -> bool {
        let mut next = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let due = next.is_none_or(|next| next <= now);
        if due {
            *next = Some(now + interval);
        }
        due
    }
}

/// Sweeps the queue in the background if it is time to. Every receive calls it.
pub(crate) fn keep_up<S: Store>(queue: &Arc<Shared<S>>) {
    if queue.swept.take(SWEEP_INTERVAL) {
        let queue = Arc::clone(queue);
        let tasks = queue.database.tasks.clone();
        tasks.spawn(async move {
            sweep(&queue).await;
            if queue.database.upkeep.0.take(WARN_INTERVAL) {
                warn_of_long_transactions(&queue).await;
            }
        });
    }
}

/// Removes what is past its retention, step by step.
pub(crate) async fn sweep<S: Store>(queue: &Shared<S>) {
    loop {
        match queue.database.store.sweep(&queue.record, STEP).await {
            Ok(0) => return,
            Ok(expired) => {
                queue.tally.add_expired(expired);
                tracing::warn!(queue = %queue.record.name, expired, "messages were past their retention and are gone");
                if expired < u64::from(STEP) {
                    return;
                }
            }
            Err(error) => {
                tracing::debug!(queue = %queue.record.name, %error, "sweeping failed; it is tried again later");
                return;
            }
        }
    }
}

async fn warn_of_long_transactions<S: Store>(queue: &Shared<S>) {
    if let Ok(Some(age)) = queue.database.store.oldest_transaction().await
        && age >= WARN_INTERVAL
    {
        tracing::warn!(
            seconds = age.as_secs(),
            "a transaction of this database has been open for long: what was received meanwhile can't be cleaned up, and \
             receiving slows down until it ends"
        );
    }
}
