//! A handle on a scheduler at work.

use std::fmt;
use std::sync::Arc;

use super::{Shared, TriggerHandle, TriggerStatus};

/// Looks at a scheduler at work, pauses it, and finds its triggers.
///
/// # Drop
/// Nothing happens: the scheduler belongs to its [`RunningScheduler`](crate::RunningScheduler).
#[derive(Clone)]
pub struct SchedulerHandle {
    shared: Arc<Shared>,
}

impl SchedulerHandle {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// Holds the beats of all triggers but those that [run when paused](crate::Trigger::runs_when_paused): a read-only
    /// mode. What runs goes on to its end. A beat that waits for a place is held if it is still paused when one is free.
    pub fn pause(&self) {
        self.shared.set_paused(true);
    }

    /// Lets them run again, each from its next beat on; what was held is not made up.
    pub fn resume(&self) {
        self.shared.set_paused(false);
    }

    /// Whether the whole scheduler is paused.
    pub fn is_paused(&self) -> bool {
        self.shared.is_paused()
    }

    /// The trigger of that name.
    pub fn trigger(&self, name: &str) -> Option<TriggerHandle> {
        let number = self.shared.entries.iter().position(|entry| entry.name() == name)?;
        Some(TriggerHandle::new(Arc::clone(&self.shared), number))
    }

    /// What each trigger is at, in the order they were added.
    pub fn status(&self) -> Vec<TriggerStatus> {
        self.shared.entries.iter().map(TriggerStatus::of).collect()
    }
}

impl fmt::Debug for SchedulerHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SchedulerHandle").field("triggers", &self.status()).finish_non_exhaustive()
    }
}
