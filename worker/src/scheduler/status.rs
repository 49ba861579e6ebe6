//! What a trigger is at, for an operator's eye.

use std::time::{Duration, SystemTime};

use super::{Entry, RunAccount};

/// What a trigger is at.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TriggerStatus {
    /// Its name.
    pub name: String,
    /// What it does right now.
    pub state: TriggerState,
    /// Whether it is paused by its own handle. That the whole scheduler is paused does not show here.
    pub paused: bool,
    /// When its next beat is planned; `None` while it runs or waits for a place, and when there are no more.
    pub next_beat: Option<SystemTime>,
    /// When its last run was begun, or the run right now; declined ones included.
    pub last_start: Option<SystemTime>,
    /// How long the last run took that has ended.
    pub last_duration: Option<Duration>,
    /// What the last run said that failed or panicked; `None` again once one has succeeded.
    pub last_error: Option<String>,
    /// What became of its beats.
    pub account: RunAccount,
}

impl TriggerStatus {
    pub(super) fn of(entry: &Entry) -> Self {
        let log = entry.log.read();
        Self {
            name: entry.name().to_owned(),
            state: log.state,
            paused: entry.is_paused(),
            next_beat: log.next_beat,
            last_start: log.last_start,
            last_duration: log.last_duration,
            last_error: log.last_error,
            account: log.account,
        }
    }
}

/// What a trigger does right now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TriggerState {
    /// It waits for its next beat.
    #[default]
    Idle,
    /// A beat has come and waits for a place among the runs.
    Waiting,
    /// Its work runs.
    Running,
    /// The scheduler has stopped.
    Stopped,
}
