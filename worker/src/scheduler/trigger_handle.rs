//! A handle on one trigger at work.

use std::fmt;
use std::sync::Arc;

use super::{Entry, Shared, TriggerStatus};

/// Fires, pauses and looks at one trigger at work.
///
/// # Drop
/// Nothing happens.
///
/// # Examples
/// ```
/// # use std::time::Duration;
/// # use worker::{RunContext, Trigger};
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let trash = Trigger::every(Duration::from_hours(1)).start_delay(Duration::from_hours(1)).named("trash");
/// let running = trash.start(async |_: RunContext| {});
/// if let Some(trash) = running.handle().trigger("trash") {
///     trash.fire();
/// #   tokio::time::sleep(Duration::from_secs(1)).await;
///     assert_eq!(trash.status().account.succeeded, 1);
/// }
/// # }
/// ```
#[derive(Clone)]
pub struct TriggerHandle {
    shared: Arc<Shared>,
    number: usize,
}

impl TriggerHandle {
    pub(super) fn new(shared: Arc<Shared>, number: usize) -> Self {
        Self { shared, number }
    }

    /// Asks for a run now, outside the grid and also while paused. The next beat stays where it is.
    ///
    /// # Guarantees
    /// A run is begun after this call, unless the scheduler stops: now, or when the one under way has ended, and when
    /// there is a place (W12). Several calls before it is begun are one run.
    pub fn fire(&self) {
        self.entry().fire();
    }

    /// Holds the beats of this trigger, also if it [runs when paused](crate::Trigger::runs_when_paused).
    pub fn pause(&self) {
        self.entry().set_paused(true);
    }

    /// Ends its pause, from its next beat on. A pause of the whole scheduler goes on.
    pub fn resume(&self) {
        self.entry().set_paused(false);
    }

    /// What it is at.
    pub fn status(&self) -> TriggerStatus {
        TriggerStatus::of(self.entry())
    }

    fn entry(&self) -> &Entry {
        &self.shared.entries[self.number]
    }
}

impl fmt::Debug for TriggerHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TriggerHandle").field(&self.status()).finish()
    }
}
