//! What is known of one trigger's runs.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

use super::{RunAccount, TriggerState};
use crate::RunOutcome;

/// What is known of one trigger's runs.
#[derive(Debug, Default)]
pub(crate) struct RunLog(Mutex<Entries>);

/// A copy of a [`RunLog`] at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entries {
    pub(crate) account: RunAccount,
    pub(crate) state: TriggerState,
    pub(crate) next_beat: Option<SystemTime>,
    pub(crate) last_start: Option<SystemTime>,
    pub(crate) last_duration: Option<Duration>,
    pub(crate) last_error: Option<String>,
}

impl RunLog {
    pub(crate) fn read(&self) -> Entries {
        self.lock().clone()
    }

    /// It waits for the beat planned at `next`.
    pub(crate) fn idle(&self, next: Option<SystemTime>) {
        let mut entries = self.lock();
        entries.state = TriggerState::Idle;
        entries.next_beat = next;
    }

    /// A beat has come and waits for a place.
    pub(crate) fn waiting(&self) {
        let mut entries = self.lock();
        entries.state = TriggerState::Waiting;
        entries.next_beat = None;
    }

    pub(crate) fn stopped(&self) {
        let mut entries = self.lock();
        entries.state = TriggerState::Stopped;
        entries.next_beat = None;
    }

    pub(crate) fn held(&self) {
        self.lock().account.held += 1;
    }

    pub(crate) fn skipped(&self, beats: u64) {
        self.lock().account.skipped += beats;
    }

    pub(crate) fn begin(&self, now: SystemTime) {
        let mut entries = self.lock();
        entries.state = TriggerState::Running;
        entries.account.running = 1;
        entries.last_start = Some(now);
    }

    pub(crate) fn end(&self, started: Instant, outcome: &RunOutcome) {
        let mut entries = self.lock();
        entries.account.running = 0;
        entries.account.count(outcome);
        entries.last_duration = Some(started.elapsed());
        match outcome {
            RunOutcome::Succeeded => entries.last_error = None,
            RunOutcome::Failed { error } => entries.last_error = Some(error.to_string()),
            RunOutcome::Panicked { message } => entries.last_error = Some(format!("panicked: {message}")),
            RunOutcome::Declined { .. } | RunOutcome::Cancelled => {}
        }
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
