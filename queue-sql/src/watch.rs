//! The watch: one read of the database for all receives of this process that wait, so that they see what others publish.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::sleep;

use crate::database::Inner;
use crate::store::Store;

/// The shortest sleep between two reads, so that a queue that can't be emptied is no hot loop.
const SHORTEST: Duration = Duration::from_millis(5);

/// Whether the task runs.
#[derive(Debug, Default)]
pub(crate) struct Watch(AtomicBool);

/// Starts the watch unless it runs. It ends by itself when nobody waits any longer.
pub(crate) fn start<S: Store>(database: &Arc<Inner<S>>) {
    if database.watch.0.swap(true, Ordering::AcqRel) {
        return;
    }
    database.store.watching(&database.hub);
    let running = Running(Arc::downgrade(database));
    database.tasks.spawn(async move { while running.round().await {} });
}

/// Says that the task runs, until it is dropped, however that comes.
struct Running<S: Store>(Weak<Inner<S>>);

impl<S: Store> Running<S> {
    /// Sleeps, reads, wakes; `false` when nobody waits any longer.
    async fn round(&self) -> bool {
        let pause = match self.0.upgrade() {
            Some(database) if database.hub.is_needed() => look(&database).await,
            _ => return false,
        };
        sleep(pause).await;
        true
    }
}

impl<S: Store> Drop for Running<S> {
    fn drop(&mut self) {
        let Some(database) = self.0.upgrade() else { return };
        database.watch.0.store(false, Ordering::Release);
        if database.hub.is_needed()
            && !database.tasks.is_closed()
            && tokio::runtime::Handle::try_current().is_ok()
        {
            start(&database); // somebody came between the last look and the end
        }
    }
}

/// Wakes a receive at each queue that has something, and answers when to look again.
async fn look<S: Store>(database: &Inner<S>) -> Duration {
    let mut pause = database.poll_interval;
    let queues = database.hub.queues();
    if queues.is_empty() {
        return pause;
    }
    match database.store.outlook(&queues).await {
        Ok(outlook) => {
            for (queue, ready_in) in outlook {
                match ready_in {
                    Some(Duration::ZERO) => database.hub.wake(queue),
                    Some(ready_in) => pause = pause.min(ready_in),
                    None => {}
                }
            }
        }
        // The receives that wait find it out themselves at the end of their wait.
        Err(error) => tracing::debug!(%error, "looking for messages failed"),
    }
    pause.max(SHORTEST)
}
