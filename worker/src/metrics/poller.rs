//! The instruments of one poller.

use std::time::{SystemTime, UNIX_EPOCH};

use ::metrics::{Counter, Gauge, Label, SharedString, counter, gauge};
use queue_core::WorkerName;

use super::names;

/// What one poller counts on.
#[derive(Debug)]
pub(crate) struct PollerInstruments {
    failed: Counter,
    consecutive_errors: Gauge,
    last_success: Gauge,
}

impl PollerInstruments {
    pub(super) fn new(queue: &SharedString, name: &WorkerName) -> Self {
        let labels = vec![Label::new("queue", queue.clone()), Label::new("poller", name.to_string())];
        Self {
            failed: counter!(names::FAILED_RECEIVES, labels.clone()),
            consecutive_errors: gauge!(names::CONSECUTIVE_ERRORS, labels.clone()),
            last_success: gauge!(names::LAST_SUCCESS, labels),
        }
    }

    pub(crate) fn succeeded(&self, at: SystemTime) {
        self.consecutive_errors.set(0.0);
        self.last_success.set(at.duration_since(UNIX_EPOCH).unwrap_or_default());
    }

    pub(crate) fn failed(&self, consecutive: u32) {
        self.failed.increment(1);
        self.consecutive_errors.set(consecutive);
    }
}
