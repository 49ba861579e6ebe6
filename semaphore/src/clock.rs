//! The wall clock: the one place where it is read.

use std::time::SystemTime;

use tokio::time::Instant;

/// A wall clock that moves with tokio's, so that a test that pauses one pauses both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallClock {
    system: SystemTime,
    tokio: Instant,
}

impl WallClock {
    /// Reads both clocks once.
    #[expect(clippy::disallowed_methods, reason = "this is the one file that reads the wall clock")]
    pub(crate) fn start() -> Self {
        Self { system: SystemTime::now(), tokio: Instant::now() }
    }

    /// The wall-clock time at `instant`.
    pub(crate) fn at(&self, instant: Instant) -> SystemTime {
        self.system + instant.saturating_duration_since(self.tokio)
    }
}
