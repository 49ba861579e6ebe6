//! The meter: where calls are counted and read.

use std::sync::{Arc, Mutex, PoisonError};

use super::Calls;

/// Counts calls; cheap to clone, and all clones are one meter. Queues that share one are counted together.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    calls: Arc<Mutex<Calls>>,
}

impl Meter {
    /// Makes a meter that stands at zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// What was counted so far, all at one moment.
    pub fn calls(&self) -> Calls {
        *self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn note(&self, count: impl FnOnce(&mut Calls)) {
        count(&mut self.calls.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
