//! The options of a cluster gate: how soon it hears, and what that costs.

use std::time::Duration;

/// How soon the processes of a cluster hear of each other. Processes that share a queue ought to have the same.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClusterOptions {
    interval: Duration,
    lease: Duration,
    patience: Duration,
}

impl Default for ClusterOptions {
    fn default() -> Self {
        let secs = Duration::from_secs;
        Self { interval: secs(2), lease: secs(30), patience: secs(30) }
    }
}

impl ClusterOptions {
    /// Sets how often a process looks whether a burst has begun or the permit is free: every 2 s unless set. A call that
    /// has no answer for so long (1 s at least) has failed.
    ///
    /// # Panics
    /// If it is zero.
    #[must_use]
    pub fn with_interval(mut self, interval: Duration) -> Self {
        assert!(!interval.is_zero(), "with_interval(0): a timer needs an interval");
        self.interval = interval;
        self
    }

    /// Sets how long the permit lasts unless it is renewed, and so for how long nobody polls a quiet queue after its
    /// holder was killed: 30 s unless set.
    #[must_use]
    pub fn with_lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }

    /// Sets after how long the holder lets another process have the permit when none of its polls has ended, as they
    /// hang or wait for busy handlers: 30 s unless set. It has to be longer than a poll: the wait and its margin.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// How often a process looks.
    pub fn interval(&self) -> Duration {
        self.interval
    }

    /// How long the permit lasts unless it is renewed.
    pub fn lease(&self) -> Duration {
        self.lease
    }

    /// After how long without the end of a poll the holder lets another process have the permit.
    pub fn patience(&self) -> Duration {
        self.patience
    }
}
