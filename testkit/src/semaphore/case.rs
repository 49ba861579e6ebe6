//! What a clause about semaphores starts from: the factory and the pace.

use std::sync::Arc;

use super::SemaphoreFactory;
use super::subject::Subject;
use crate::pace::Pace;

/// What a clause starts from.
pub(super) struct Case {
    factory: Arc<dyn SemaphoreFactory>,
    pub(super) pace: Pace,
}

impl Case {
    pub(super) fn new(factory: Arc<dyn SemaphoreFactory>, pace: Pace) -> Self {
        Self { factory, pace }
    }

    /// A semaphore, and a key that nobody used before.
    pub(super) async fn semaphore(&self) -> Subject {
        Subject::new(self.factory.make().await, self.pace)
    }
}
