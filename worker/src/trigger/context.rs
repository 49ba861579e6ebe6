//! What a run is told: which trigger, which beat, and when to end.

use std::sync::Arc;
use std::time::SystemTime;

use queue_core::CancellationToken;

/// What goes with a run to its work. Owned and cheap to clone.
#[derive(Clone, Debug)]
pub struct RunContext {
    trigger: Arc<str>,
    due: SystemTime,
    stopping: CancellationToken,
    cancelled: CancellationToken,
}

impl RunContext {
    pub(crate) fn new(trigger: Arc<str>, due: SystemTime) -> Self {
        let (stopping, cancelled) = (CancellationToken::new(), CancellationToken::new());
        Self { trigger, due, stopping, cancelled }
    }

    /// Makes the context of a work's unit test: never told to end unless through its tokens.
    pub fn detached(trigger: &str) -> Self {
        Self::new(trigger.into(), SystemTime::UNIX_EPOCH)
    }

    pub(crate) fn with_stopping(mut self, stopping: CancellationToken) -> Self {
        self.stopping = stopping;
        self
    }

    pub(crate) fn with_cancelled(mut self, cancelled: CancellationToken) -> Self {
        self.cancelled = cancelled;
        self
    }

    /// The trigger's name.
    pub fn trigger(&self) -> &str {
        &self.trigger
    }

    /// The beat that this run is for: its point on the grid, before jitter and before any wait for a place. The moment
    /// of the call if it was [fired](crate::TriggerHandle::fire) by hand.
    pub fn due(&self) -> SystemTime {
        self.due
    }

    /// Fires when the scheduler stops. A long run may end early then, or go on up to the grace.
    pub fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    /// Fires when this run is given up: the grace has passed, or its runner cancels it. The work is polled once more
    /// and then dropped; what it spawned should end too.
    pub fn cancelled(&self) -> &CancellationToken {
        &self.cancelled
    }
}
