//! How a memory queue is set up.

use std::time::Duration;

use super::settings::{DeadLetter, Settings};
use super::{MemoryClock, MemoryQueue};
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

    /// Makes it an ordered queue, what Amazon SQS calls FIFO: it keeps the messages of a group in order (Q8) and stores
    /// once what is sent twice (Q9). Every message needs a group key and a deduplication id.
    pub fn ordered(mut self) -> Self {
        self.0.ordered = true;
        self
    }

    /// Lets an ordered queue tell messages apart by their bodies where they carry no deduplication id: the same body,
    /// whatever its attributes and its group, is the same message. It keeps bodies for the five minutes that they
    /// count (Q9).
    pub fn content_deduplication(mut self) -> Self {
        self.0.content_deduplication = true;
        self
    }

    /// Sets the clock, so that it can be moved forward. Without it the queue has its dead-letter queue's, and without
    /// either one of its own, which nobody can move.
    pub fn clock(mut self, clock: MemoryClock) -> Self {
        self.0.clock = Some(clock);
        self
    }

    pub(super) fn into_settings(self) -> Settings {
        self.0
    }

    /// Builds the queue.
    ///
    /// # Errors
    /// *Permanent*: a setting outside the range that the service allows, or one that belongs to the other kind of
    /// queue; it says which, and what would be right. [`Limits::ordered`] is set by [`ordered`](Self::ordered) alone.
    /// The dead-letter queue of an ordered queue is ordered, that of a standard queue is not. Both have one clock.
    pub fn build(self) -> Result<MemoryQueue, QueueError> {
        self.0.check()?;
        Ok(MemoryQueue::with_settings(self.0))
    }
}
