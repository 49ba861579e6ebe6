//! How far a task is.

use std::sync::{Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

/// How far a task is, and how it ended.
#[derive(Debug, Default)]
pub(super) struct Progress {
    pub(super) cancelled: CancellationToken,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    moved: u64,
    /// How it ended; `Err` says why it failed.
    end: Option<Result<&'static str, &'static str>>,
}

impl Progress {
    pub(super) fn moved(&self) -> u64 {
        self.with(|state| state.moved)
    }

    pub(super) fn count(&self) {
        self.with(|state| state.moved += 1);
    }

    /// Ends it. The first end stays.
    pub(super) fn end(&self, end: Result<&'static str, &'static str>) {
        self.with(|state| state.end.get_or_insert(end).is_ok());
    }

    /// Whether it has not ended.
    pub(super) fn is_active(&self) -> bool {
        self.with(|state| state.end.is_none())
    }

    /// Asks it to end. Answers whether there was something to end.
    pub(super) fn cancel(&self) -> bool {
        let active = self.is_active();
        self.cancelled.cancel();
        active
    }

    /// In the service's words, and why it failed.
    pub(super) fn status(&self) -> (&'static str, Option<&'static str>) {
        match self.with(|state| state.end) {
            Some(Ok(end)) => (end, None),
            Some(Err(reason)) => ("FAILED", Some(reason)),
            None if self.cancelled.is_cancelled() => ("CANCELLING", None),
            None => ("RUNNING", None),
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
