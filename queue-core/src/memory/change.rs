//! A change of the settings of a queue that is in use.

use std::ptr;
use std::sync::{Mutex, PoisonError};

use super::MemoryQueue;
use super::settings::Settings;
use crate::QueueError;

/// One change at a time, so that two queues don't become each other's dead-letter queue at once.
static ONE: Mutex<()> = Mutex::new(());

/// Sets `queue` to `settings`, or refuses them.
pub(super) fn apply(queue: &MemoryQueue, mut settings: Settings) -> Result<(), QueueError> {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (refuse, here) = (|reason: &'static str| Err(QueueError::permanent(reason)), queue.shared());
    let clock = settings.clock.get_or_insert_with(|| here.clock.clone());
    if !clock.is(&here.clock) {
        return refuse("a queue keeps the clock that it was built with");
    }
    settings.check()?;
    if settings.ordered != here.settings().ordered {
        return refuse("a queue stays of the kind that it was built as, ordered or standard");
    }
    if leads_to(&settings, queue) {
        return refuse("the dead-letter queue leads back to this queue");
    }
    here.set(settings);
    Ok(())
}

/// Whether what is given up under `settings` can come to `queue`.
fn leads_to(settings: &Settings, queue: &MemoryQueue) -> bool {
    settings.dead_letter.as_ref().is_some_and(|dead_letter| {
        let to = dead_letter.queue.shared();
        ptr::eq(to, queue.shared()) || leads_to(&to.settings(), queue)
    })
}
