//! The time that something takes.

use ::metrics::Histogram;
use tokio::time::Instant;

/// Something that takes time.
///
/// # Drop
/// Records how long it took.
#[derive(Debug)]
pub(crate) struct Timing {
    histogram: Histogram,
    started: Instant,
}

impl Timing {
    pub(super) fn start(histogram: Histogram) -> Self {
        Self { histogram, started: Instant::now() }
    }
}

impl Drop for Timing {
    fn drop(&mut self) {
        self.histogram.record(self.started.elapsed());
    }
}
