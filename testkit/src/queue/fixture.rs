//! What a factory hands to a clause: a fresh queue and what belongs to it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use queue_core::{Inspect, Queue};

/// A fresh queue, and what belongs to it. A queue alone becomes one by `From`.
///
/// # Examples
/// ```
/// use queue_core::MemoryQueue;
/// use testkit::{Fixture, Setup};
///
/// async fn fresh(setup: Setup) -> Fixture {
///     let mut queue = MemoryQueue::builder().visibility(setup.visibility).retention(setup.retention);
///     let dead = MemoryQueue::new();
///     if let Some(max) = setup.max_receive_count {
///         queue = queue.dead_letter(dead.clone(), max);
///     }
///     let queue = queue.build().expect("the set-up is within the limits");
///     Fixture::new(queue.clone()).with_inspect(queue).with_dead_letter(dead)
/// }
/// # drop(testkit::queue(testkit::Promises::standard(), fresh));
/// ```
#[must_use]
pub struct Fixture {
    pub(crate) queue: Arc<dyn Queue>,
    pub(crate) inspect: Option<Arc<dyn Inspect>>,
    pub(crate) dead_letter: Option<Arc<dyn Queue>>,
    /// What has to live as long as the queue.
    kept: Vec<Box<dyn Any + Send + Sync>>,
}

impl Fixture {
    /// Hands over a queue.
    pub fn new(queue: impl Queue + 'static) -> Self {
        Self { queue: Arc::new(queue), inspect: None, dead_letter: None, kept: Vec::new() }
    }

    /// Adds what looks into it: for [`ExactDepth`](crate::QueuePromise::ExactDepth) and
    /// [`Purge`](crate::QueuePromise::Purge).
    pub fn with_inspect(mut self, inspect: impl Inspect + 'static) -> Self {
        self.inspect = Some(Arc::new(inspect));
        self
    }

    /// Adds its dead-letter queue.
    pub fn with_dead_letter(mut self, queue: impl Queue + 'static) -> Self {
        self.dead_letter = Some(Arc::new(queue));
        self
    }

    /// Keeps something until the clause ends, such as the guard of a temporary directory.
    pub fn keeping(mut self, guard: impl Any + Send + Sync) -> Self {
        self.kept.push(Box::new(guard));
        self
    }
}

impl<Q: Queue + 'static> From<Q> for Fixture {
    fn from(queue: Q) -> Self {
        Self::new(queue)
    }
}

impl fmt::Debug for Fixture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fixture")
            .field("queue", &self.queue)
            .field("inspect", &self.inspect)
            .field("dead_letter", &self.dead_letter)
            .finish_non_exhaustive()
    }
}
