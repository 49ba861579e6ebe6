//! The time that a piece of work takes.

use std::time::{Duration, Instant};

/// Does `work`, and says how long it took.
#[expect(clippy::disallowed_methods, reason = "wall time is shown; there is no runtime here to pause")]
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
