//! What a run is told: which trigger, which beat, and when to end.

use std::sync::Arc;
use std::time::SystemTime;

use queue_core::CancellationToken;
use semaphore::FencingToken;

/// What goes with a run to its work. Owned and cheap to clone.
#[derive(Clone, Debug)]
pub struct RunContext {
    trigger: Arc<str>,
    due: SystemTime,
    stopping: CancellationToken,
    cancelled: CancellationToken,
    fencing_token: Option<FencingToken>,
}

impl RunContext {
    pub(crate) fn new(trigger: Arc<str>, due: SystemTime) -> Self {
        let (stopping, cancelled) = (CancellationToken::new(), CancellationToken::new());
        Self { trigger, due, stopping, cancelled, fencing_token: None }
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

    /// Sets the fencing token: for runners that take a permit, and for the test of work that writes under one.
    #[must_use]
    pub fn with_fencing_token(mut self, token: FencingToken) -> Self {
        self.fencing_token = Some(token);
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

    /// The fencing token of the permit that this run has, if its runner took one, as a
    /// [`SemaphoreGatedRunner`](crate::SemaphoreGatedRunner) does. Write it beside what the permit protects, and refuse
    /// a write under a smaller one: a run that froze may wake up after its lease.
    pub fn fencing_token(&self) -> Option<FencingToken> {
        self.fencing_token
    }
}
