//! How a memory queue is set up.

use std::time::Duration;

use super::MemoryQueue;
use super::settings::{DeadLetter, Settings};
use crate::{Limits, QueueError};

/// Sets up a [`MemoryQueue`] that differs from the defaults. Durations are taken as they are: unlike the service,
/// which counts in whole seconds, a memory queue also keeps to milliseconds.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use queue_core::MemoryQueue;
///
/// let quarantine = MemoryQueue::new();
/// let queue = MemoryQueue::builder()
///     .visibility(Duration::from_secs(10))
///     .dead_letter(quarantine.clone(), 3)
///     .build()?;
/// # Ok::<(), queue_core::QueueError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a builder builds nothing until `build` is called"]
pub struct MemoryQueueBuilder(Settings);

impl MemoryQueueBuilder {
    /// Sets the visibility timeout of receives that name none: 0 s to 12 h, 30 s by default.
    pub fn visibility(mut self, visibility: Duration) -> Self {
        self.0.visibility = visibility;
        self
    }

    /// Sets how long a message is kept, counted from when it was first stored: 60 s to 14 days, 4 days by
    /// default (Q10).
    pub fn retention(mut self, retention: Duration) -> Self {
        self.0.retention = retention;
        self
    }

    /// Moves messages to `queue` instead of delivering them more often than `max_receive_count` times: 1 to 1,000
    /// (Q7). A queue that is built already can't lead back to this one, so there are no circles.
    pub fn dead_letter(mut self, queue: MemoryQueue, max_receive_count: u32) -> Self {
        self.0.dead_letter = Some(DeadLetter { queue, max_receive_count });
        self
    }

    /// Sets the delay of messages that name none: 0 s to the longest delay of [`limits`](Self::limits), 0 s by
    /// default.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.0.delay = delay;
        self
    }

    /// Sets how many messages can be in flight: 1 to 120,000, which is the default.
    pub fn in_flight(mut self, in_flight: usize) -> Self {
        self.0.max_in_flight = in_flight;
        self
    }

    /// Sets what can be published, for instance to stand for a queue that takes less (Q11).
    pub fn limits(mut self, limits: Limits) -> Self {
        self.0.limits = limits;
        self
    }

    /// Builds the queue.
    ///
    /// # Errors
    /// *Permanent*: a setting outside the range that the service allows; it says which, and what would be right.
    /// [`Limits::ordered`] is refused: the queue is a standard one.
    pub fn build(self) -> Result<MemoryQueue, QueueError> {
        self.0.check()?;
        Ok(MemoryQueue::with_settings(self.0))
    }
}
