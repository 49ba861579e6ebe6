//! The wall clock of this crate: the one place where it is read.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

/// A difference from the system's clock that is a step of it and not the rounding of two readings.
const STEP: Duration = Duration::from_secs(1);

/// How far apart two readings of a clock that isn't paused may be.
const TOGETHER: Duration = Duration::from_millis(100);

/// A wall clock that moves with tokio's, so that a test that pauses one pauses both.
///
/// It follows the system's clock when that is set, or when the machine slept: then tokio's clock, if it isn't paused,
/// still reads as the operating system's does, and the wall clock no longer does.
#[derive(Debug)]
pub(crate) struct WallClock {
    anchor: Mutex<Anchor>,
}

/// The same moment on both clocks.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    system: SystemTime,
    tokio: Instant,
}

impl WallClock {
    pub(crate) fn start() -> Self {
        Self { anchor: Mutex::new(Anchor::read()) }
    }

    pub(crate) fn now(&self) -> SystemTime {
        self.at(Instant::now())
    }

    /// The wall-clock time at `instant`.
    pub(crate) fn at(&self, instant: Instant) -> SystemTime {
        let mut anchor = self.anchor.lock().unwrap_or_else(PoisonError::into_inner);
        *anchor = anchor.follow();
        anchor.at(instant)
    }
}

impl Anchor {
    #[expect(clippy::disallowed_methods, reason = "this is the one file that reads the wall clock")]
    fn read() -> Self {
        Self { system: SystemTime::now(), tokio: Instant::now() }
    }

    fn at(self, instant: Instant) -> SystemTime {
        match instant.checked_duration_since(self.tokio) {
            Some(after) => self.system + after,
            None => self.system - self.tokio.duration_since(instant),
        }
    }

    /// A new anchor if the system's clock was set since this one, else this one.
    fn follow(self) -> Self {
        let read = Self::read();
        if is_real(read.tokio) && apart(self.at(read.tokio), read.system) > STEP { read } else { self }
    }
}

/// Whether tokio's clock, just read as `now`, is the operating system's and not one that a test paused.
#[expect(clippy::disallowed_methods, reason = "only the system's own clock tells if tokio's is paused")]
fn is_real(now: Instant) -> bool {
    let system = std::time::Instant::now();
    let now = now.into_std();
    system.saturating_duration_since(now).max(now.saturating_duration_since(system)) < TOGETHER
}

fn apart(one: SystemTime, other: SystemTime) -> Duration {
    one.duration_since(other).unwrap_or_else(|before| before.duration())
}

#[cfg(all(test, feature = "cron"))]
impl WallClock {
    /// Sets it, as an operator sets the system's clock. Only a clock that was paused and has moved stays where it is set.
    pub(crate) fn set(&self, time: SystemTime) {
        *self.anchor.lock().unwrap_or_else(PoisonError::into_inner) =
            Anchor { system: time, tokio: Instant::now() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a_day_behind() -> WallClock {
        let read = Anchor::read();
        let anchor = Anchor { system: read.system - Duration::from_hours(24), ..read };
        WallClock { anchor: Mutex::new(anchor) }
    }

    // W12
    #[tokio::test]
    async fn it_follows_the_systems_clock_when_that_is_set() {
        let now = a_day_behind().now();
        assert!(apart(now, Anchor::read().system) < STEP);
    }

    // W12
    #[tokio::test(start_paused = true)]
    async fn it_moves_with_a_paused_clock() {
        let clock = WallClock::start();
        let start = clock.now();
        tokio::time::sleep(Duration::from_hours(24)).await;
        assert_eq!(clock.now(), start + Duration::from_hours(24));
    }
}
