//! What triggers have done.

use std::ops::AddAssign;

use crate::RunOutcome;

/// What became of the beats of one trigger, or of all of a scheduler's, counted from its start.
///
/// Each beat, and each run fired by hand, ends up in one counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunAccount {
    /// Runs whose work was done.
    pub succeeded: u64,
    /// Runs that returned an error.
    pub failed: u64,
    /// Runs that panicked.
    pub panicked: u64,
    /// Runs given up before their end: the grace of a stop had passed, or their runner cancelled them.
    pub cancelled: u64,
    /// Runs that their runner declined, or that found nothing to do.
    pub declined: u64,
    /// Beats that passed while the work still ran or waited for a place, and those that waited at stop.
    pub skipped: u64,
    /// Beats that passed while paused.
    pub held: u64,
    /// Runs right now.
    pub running: u64,
}

impl RunAccount {
    /// Runs that were begun and have ended, however they ended.
    pub fn runs(&self) -> u64 {
        self.succeeded + self.failed + self.panicked + self.cancelled
    }

    pub(super) fn count(&mut self, outcome: &RunOutcome) {
        *match outcome {
            RunOutcome::Succeeded => &mut self.succeeded,
            RunOutcome::Failed { .. } => &mut self.failed,
            RunOutcome::Panicked { .. } => &mut self.panicked,
            RunOutcome::Declined { .. } => &mut self.declined,
            RunOutcome::Cancelled => &mut self.cancelled,
        } += 1;
    }
}

impl AddAssign for RunAccount {
    fn add_assign(&mut self, other: Self) {
        self.succeeded += other.succeeded;
        self.failed += other.failed;
        self.panicked += other.panicked;
        self.cancelled += other.cancelled;
        self.declined += other.declined;
        self.skipped += other.skipped;
        self.held += other.held;
        self.running += other.running;
    }
}
