//! What is known of one poller's receives.

use std::time::SystemTime;

use queue_core::{QueueError, WorkerName};
use tokio::time::Instant;

use crate::PollerHealth;
use crate::metrics::PollerInstruments;

/// One poller's receives: the one under way, and how those before it ended.
#[derive(Debug)]
pub(super) struct Pulse {
    instruments: PollerInstruments,
    polling_since: Option<Instant>,
    last_success: Option<SystemTime>,
    consecutive_errors: u32,
    last_error: Option<QueueError>,
}

impl Pulse {
    pub(super) fn new(instruments: PollerInstruments) -> Self {
        Self { instruments, polling_since: None, last_success: None, consecutive_errors: 0, last_error: None }
    }

    pub(super) fn polls(&mut self, now: Instant) {
        self.polling_since = Some(now);
    }

    pub(super) fn succeeded(&mut self, at: SystemTime) {
        self.polling_since = None;
        self.last_success = Some(at);
        self.consecutive_errors = 0;
        self.instruments.succeeded(at);
    }

    pub(super) fn failed(&mut self, error: &QueueError) {
        self.polling_since = None;
        self.consecutive_errors = self.consecutive_errors.saturating_add(1);
        self.last_error = Some(error.clone());
        self.instruments.failed(self.consecutive_errors);
    }

    /// Whether a receive is under way that was sent by `instant`.
    pub(super) fn polls_since(&self, instant: Instant) -> bool {
        self.polling_since.is_some_and(|since| since <= instant)
    }

    pub(super) fn health(&self, name: &WorkerName) -> PollerHealth {
        PollerHealth {
            name: name.clone(),
            polling: self.polling_since.is_some(),
            last_success: self.last_success,
            consecutive_errors: self.consecutive_errors,
            last_error: self.last_error.clone(),
        }
    }
}
