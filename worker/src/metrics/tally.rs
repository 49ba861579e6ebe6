//! A counter of the recorder.

use ::metrics::Counter;

/// A number that only grows, at the recorder. The default counts nothing.
#[derive(Debug)]
pub(crate) struct Tally(Counter);

impl Tally {
    pub(super) fn new(counter: Counter) -> Self {
        Self(counter)
    }

    pub(crate) fn add(&self, n: usize) {
        self.0.increment(n as u64);
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self(Counter::noop())
    }
}
