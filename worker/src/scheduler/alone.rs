//! A trigger that runs alone, without a scheduler of one's own.

use super::{RunningScheduler, Scheduler};
use crate::{Runner, Trigger, Work};

impl Trigger {
    /// Starts this trigger alone: it runs `work` at each beat.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub fn start(self, work: impl Work + 'static) -> RunningScheduler {
        Scheduler::new().add(self, work).start()
    }

    /// Starts this trigger alone: at each beat it runs `work` through `runner`, which may decline.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub fn run(self, runner: impl Runner + 'static, work: impl Work + 'static) -> RunningScheduler {
        self.through(runner).start(work)
    }
}
