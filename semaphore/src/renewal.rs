//! A renewal: what a holder asks of its backend while it holds.

use std::sync::Arc;
use std::time::Duration;

/// What a renewal asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Renewal {
    /// For how long from now on.
    pub lease: Duration,
    /// What to write beside the slot; `None` leaves what is there.
    pub context: Option<Arc<str>>,
}

impl Renewal {
    /// Renews for `lease`.
    pub fn new(lease: Duration) -> Self {
        Self { lease, context: None }
    }

    /// Also writes `context` beside the slot.
    #[must_use]
    pub fn with_context(mut self, context: impl Into<Arc<str>>) -> Self {
        self.context = Some(context.into());
        self
    }
}
