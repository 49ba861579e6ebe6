//! The beats of a started trigger.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

use crate::Trigger;
use crate::clock::WallClock;
use crate::trigger::Grid;

/// A reason to run now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beat {
    /// The point on the grid, or when it was fired.
    pub(crate) due: SystemTime,
    /// Fired by hand, and not of the grid.
    pub(crate) fired: bool,
}

/// The beats of a started trigger: its grid, each point a little late by the jitter.
#[derive(Debug)]
pub(crate) struct Beats {
    grid: Box<dyn Grid>,
    jitter: Duration,
    /// How late the next beat is.
    lag: Duration,
    clock: Arc<WallClock>,
}

impl Beats {
    pub(crate) fn new(trigger: &Trigger, start: Instant, clock: &Arc<WallClock>) -> Self {
        let grid = trigger.rhythm.grid(start + trigger.start_delay, clock);
        Self { grid, jitter: trigger.jitter, lag: up_to(trigger.jitter), clock: Arc::clone(clock) }
    }

    /// When the next beat is planned; `None` if there are no more.
    pub(crate) fn planned(&self) -> Option<SystemTime> {
        Some(self.grid.point()? + self.lag)
    }

    /// Waits for the next beat; for ever if there are no more. Safe to drop.
    pub(crate) async fn next(&mut self) -> Beat {
        self.grid.reached(self.lag).await;
        Beat { due: self.grid.point().unwrap_or_else(|| self.clock.now()), fired: false }
    }

    /// Is done with `beat`: goes on to the first one that has not passed, and says how many have.
    pub(crate) fn pass(&mut self, beat: Beat) -> u64 {
        if !beat.fired {
            self.grid.advance();
            self.lag = up_to(self.jitter);
        }
        self.grid.skip(self.lag)
    }
}

fn up_to(most: Duration) -> Duration {
    most.mul_f64(fastrand::f64())
}
