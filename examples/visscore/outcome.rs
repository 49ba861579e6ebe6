//! What a run came to.

use std::time::Duration;

use queue_core::Calls;

use crate::counts::Counts;
use crate::idle_hour::IdleHour;
use crate::options::Role;

/// Everything that is reported.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// What the process did.
    pub(crate) role: Role,
    /// Whether other processes handled visits from the same queues.
    pub(crate) shared: bool,
    /// Lines and visits by what became of them.
    pub(crate) counts: Counts,
    /// Visits moved to a retry queue.
    pub(crate) retried: u64,
    /// Visits still queued at exit, those in quarantine because they failed too often included.
    pub(crate) left: u64,
    /// The first lines that went to quarantine.
    pub(crate) quarantine: Vec<String>,
    /// How many accounts had visits.
    pub(crate) accounts: usize,
    /// What it took to settle the last visit.
    pub(crate) measured: Measured,
    /// How often the semaphore behind the gates was called, if there is one.
    pub(crate) semaphore_calls: Option<u64>,
    /// What was counted while it stayed idle.
    pub(crate) idle: Option<Idle>,
    /// What was counted in an idle hour on a paused clock.
    pub(crate) hour: IdleHour,
    /// Whether a signal ended it.
    pub(crate) stopped: bool,
    /// Why the input was not read to its end.
    pub(crate) failure: Option<anyhow::Error>,
}

/// What was measured when the last visit was settled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    /// The calls made until then.
    pub(crate) calls: Calls,
    /// The receives that gates had spared.
    pub(crate) spared: u64,
    /// How long it took.
    pub(crate) elapsed: Duration,
}

/// Idle in real time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Idle {
    /// How long.
    pub(crate) time: Duration,
    /// The receives begun in that time.
    pub(crate) receives: u64,
}

impl Outcome {
    /// Visits that were sent and are neither handled nor left, if no other process can have handled them.
    pub(crate) fn lost(&self) -> u64 {
        if self.shared { 0 } else { self.missing() }
    }

    /// Visits that were sent and that another process handled, for all that this one can know.
    pub(crate) fn elsewhere(&self) -> u64 {
        if self.shared { self.missing() } else { 0 }
    }

    fn missing(&self) -> u64 {
        if self.role != Role::Both {
            return 0;
        }
        self.counts.sent.saturating_sub(self.counts.unique + self.left)
    }

    /// Publishes, receives (empty ones too) and deletes for each visit; 0 without visits.
    pub(crate) fn calls_per_visit(&self) -> f64 {
        let calls = &self.measured.calls;
        match self.visits() {
            0 => 0.0,
            visits => (calls.publish + calls.receive + calls.delete) as f64 / visits as f64,
        }
    }

    /// The visits that went through this process.
    pub(crate) fn visits(&self) -> u64 {
        self.counts.sent.max(self.counts.unique)
    }
}
