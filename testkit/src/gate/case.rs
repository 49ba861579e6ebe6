//! What a clause about gates starts from: the factory and the pace.

use std::sync::Arc;

use super::GateFactory;
use super::subject::Subject;
use crate::pace::Pace;

/// What a clause starts from.
pub(super) struct Case {
    factory: Arc<dyn GateFactory>,
    pace: Pace,
}

impl Case {
    pub(super) fn new(factory: Arc<impl GateFactory>, pace: Pace) -> Self {
        Self { factory, pace }
    }

    /// A fresh gate, seen by the workers of class `main`.
    pub(super) fn gate(&self) -> Subject {
        Subject::new(self.factory.make(), self.pace)
    }
}
