//! The pace of a suite: how long its clauses wait, on a paused clock or in real time.

use std::time::Duration;

use tokio::time::Instant;

/// Durations that clauses are made of. What goes over the wire is in whole seconds, as services take no others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// tokio's clock, paused, or else real time.
    pub(crate) paused: bool,
    /// How late something may happen.
    pub(crate) slack: Duration,
    /// The shortest retention period that the queue can be set up with.
    pub(crate) retention: Duration,
}

impl Pace {
    /// The shortest retention period that Amazon SQS takes (`MessageRetentionPeriod` of `SetQueueAttributes`).
    pub(crate) const RETENTION: Duration = Duration::from_mins(1);
    /// How long a delivery is kept when it must not come back during the clause.
    pub(crate) const HOLD: Duration = Duration::from_secs(90);
    /// How long a call waits where the wait is not what the clause is about.
    pub(crate) const WAIT: Duration = Duration::from_secs(1);

    /// Makes a pace; the slack is 500 ms in real time and 50 ms on a paused clock unless it is said.
    pub(crate) fn new(paused: bool, slack: Option<Duration>, retention: Duration) -> Self {
        let slack = slack.unwrap_or(Duration::from_millis(if paused { 50 } else { 500 }));
        Self { paused, slack, retention }
    }

    /// A short visibility timeout or delay: 2 s, more where the slack is long. Half of it is more than the slack.
    pub(crate) fn lease(&self) -> Duration {
        Duration::from_secs(2 * (self.slack.as_secs() + 1))
    }

    /// How much too early something may seem to happen, as clocks are read in two places.
    pub(crate) fn early(&self) -> Duration {
        Duration::from_millis(if self.paused { 1 } else { 100 })
    }

    /// How often a clause looks.
    pub(crate) fn tick(&self) -> Duration {
        Duration::from_millis(if self.paused { 10 } else { 50 })
    }

    /// How long a clause waits for what has to come, however slowly.
    pub(crate) fn patience(&self) -> Duration {
        Duration::from_secs(10) + self.slack * 10
    }

    /// How long a clause may take in all before it counts as hanging.
    pub(crate) fn limit(&self) -> Duration {
        if self.paused { Duration::from_hours(24) } else { Duration::from_mins(2) + self.slack * 30 }
    }
}

/// When something has to happen: not before it opens, and not (by more than the slack) after it closes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) opens: Instant,
    pub(crate) closes: Instant,
}

impl Window {
    /// `delay` after a call that was made at `asked` and has just been answered: the service counts from somewhere
    /// in between.
    pub(crate) fn after(asked: Instant, delay: Duration) -> Self {
        Self { opens: asked + delay, closes: Instant::now() + delay }
    }

    /// From now on, within `patience`.
    pub(crate) fn within(patience: Duration) -> Self {
        let now = Instant::now();
        Self { opens: now, closes: now + patience }
    }

    /// The same, `delay` later.
    pub(crate) fn later(self, delay: Duration) -> Self {
        Self { opens: self.opens + delay, closes: self.closes + delay }
    }

    /// At once.
    pub(crate) fn now() -> Self {
        Self::within(Duration::ZERO)
    }
}
