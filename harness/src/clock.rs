//! Real time: deadlines and pauses. Other processes don't know of a paused clock.

use std::thread;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// The machine's monotonic clock: the same for all of its processes, also where a process is shown another time of day.
///
/// # Examples
/// ```
/// assert!(harness::monotonic() <= harness::monotonic());
/// ```
pub fn monotonic() -> Duration {
    let now = clock_gettime(ClockId::Monotonic);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or_default())
}

/// Blocks the thread for so long, in real time.
#[expect(clippy::disallowed_methods, reason = "other processes are waited for, in real time")]
pub fn pause(time: Duration) {
    thread::sleep(time);
}

/// A moment by which something must have happened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Instant);

#[expect(
    clippy::disallowed_methods,
    reason = "another process is waited for, in real time and outside of a runtime"
)]
impl Deadline {
    /// The moment at which this time will have passed.
    pub(crate) fn after(time: Duration) -> Self {
        Self(Instant::now() + time)
    }

    /// What is left; nothing once it has passed.
    pub(crate) fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// Looks again and again until there is something to see; `None` when the deadline has passed.
    pub(crate) fn look<T>(self, mut eye: impl FnMut() -> Option<T>) -> Option<T> {
        loop {
            let seen = eye();
            if seen.is_some() || self.left().is_zero() {
                return seen;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}
