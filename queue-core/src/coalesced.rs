//! A decorator that makes few full calls of many single ones.

mod batcher;
mod options;
mod outstanding;
mod publish;
mod receive;
mod settle;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::{Depth, Inspect, QueueError};
use batcher::Batcher;
use options::Options;
use publish::Publishes;
use settle::Settles;

/// Gathers single publishes, deletes and visibility changes of many tasks and sends them together, up to the limit
/// of a call (ten at Amazon SQS).
///
/// The one place in the family where single calls become batches. Each caller gets the answer of its own entries
/// and of no others. A caller may also give a batch of any size; it is cut. Receives pass through.
/// Cheap to clone; all clones gather together.
///
/// # When entries go out
/// * As soon as a call is full, at once.
/// * A publish goes at once when no other publish is on its way. Those that come while one is gather, and go when
///   it has ended, or after the linger (5 ms).
/// * A delete or a visibility change waits for company until the linger (50 ms) has passed, but goes at once when
///   every delivery that came through here, and is not settled yet, waits as well: then no other can come.
///   [`with_concurrency`](Self::with_concurrency) tells of a lower bound. A batch of visibility changes goes at
///   once: whoever brings one has gathered already.
/// * On [`flush`](Self::flush), at once.
///
/// At most 16 calls of a kind are in flight; beyond that entries wait and merge. An ordered queue gets one publish
/// and one visibility change at a time, its repetitions included, so that entries go out in the order in which they
/// were handed over.
///
/// # Guarantees
/// Q6: the length and the order of the caller's batch; what a backend leaves unanswered, because its answer was
/// short or its call panicked, is *indeterminate*, and nothing else is. Entries that failed for a passing reason are
/// sent again, up to three times with a growing pause, but no publish whose answer was lost: that could duplicate.
/// Q12: a dropped delivery is passed on.
///
/// # Cancel safety
/// Publish and visibility changes: safe until they are sent, a dropped call takes its unsent entries back; once
/// sent, as safe as the queue's own. Delete: a dropped call is sent all the same, as the message was handled.
/// Receive: as the queue's own.
///
/// # Drop
/// Waits for nothing and loses nothing: what waits still goes out, unless the runtime ends before. Deliveries can be
/// settled after it. Where the runtime ends, callers in other runtimes get *closed* for what was not sent and
/// *indeterminate* for what was.
///
/// # Errors
/// Those of the queue; *indeterminate* when it does not answer within the deadline.
///
/// # Panics
/// Publishing and settling panic outside of a tokio runtime: calls run on tasks of their own.
///
/// # Examples
/// ```
/// use queue_core::{Coalesced, MemoryQueue, Metered, Outgoing, PublisherExt};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let queue = Coalesced::new(Metered::new(MemoryQueue::new()));
/// let mut visits = tokio::task::JoinSet::new();
/// for visit in 0..100 {
///     let queue = queue.clone();
///     visits.spawn(async move { queue.publish_one(Outgoing::new(format!("visit {visit}"))).await.unwrap() });
/// }
/// visits.join_all().await;
/// assert_eq!(queue.queue().meter().calls().publish, 10);
/// # }
/// ```
pub struct Coalesced<Q> {
    queue: Arc<Q>,
    options: Options,
    publishes: Arc<Batcher<Publishes>>,
    settles: Arc<Settles>,
}

impl<Q> Coalesced<Q> {
    /// Puts a gathering point in front of `queue`.
    pub fn new(queue: Q) -> Self {
        Self::build(Arc::new(queue), Options::default())
    }

    /// Sets how long a publish waits for company while another is in flight: 5 ms unless set.
    #[must_use]
    pub fn with_publish_linger(self, linger: Duration) -> Self {
        Self::build(self.queue, Options { publish_linger: linger, ..self.options })
    }

    /// Sets how long a delete or a visibility change waits for company: 50 ms unless set. It bounds what a caller
    /// waits in vain, and so how fast few callers can settle one message after the other.
    #[must_use]
    pub fn with_settle_linger(self, linger: Duration) -> Self {
        Self::build(self.queue, Options { settle_linger: linger, ..self.options })
    }

    /// Sets how often an entry that failed for a passing reason is sent again: 3 times unless set, 0 for never.
    #[must_use]
    pub fn with_retries(self, retries: usize) -> Self {
        Self::build(self.queue, Options { retries, ..self.options })
    }

    /// Sets how long a call may take before it is dropped and its entries are *indeterminate*: 30 s unless set. A
    /// queue that never answers would hold a place for calls for ever otherwise.
    #[must_use]
    pub fn with_deadline(self, deadline: Duration) -> Self {
        Self::build(self.queue, Options { deadline, ..self.options })
    }

    /// Says that no more than so many tasks settle deliveries at a time: when all of them wait, nothing lingers.
    /// Without it, only when all deliveries do.
    #[must_use]
    pub fn with_concurrency(self, tasks: usize) -> Self {
        Self::build(self.queue, Options { concurrency: tasks, ..self.options })
    }

    /// The queue behind it; calls made there do not gather.
    pub fn queue(&self) -> &Q {
        &self.queue
    }

    fn build(queue: Arc<Q>, options: Options) -> Self {
        let publishes = Arc::new(Batcher::new(Publishes, options.publishing()));
        Self { queue, options, publishes, settles: Arc::new(Settles::new(options)) }
    }
}

impl<Q: Send + Sync> Coalesced<Q> {
    /// Sends all that waits now, and waits for the answers (P16). What is handed over later is not waited for.
    ///
    /// # Cancel safety
    /// Safe: what waited goes out all the same.
    pub async fn flush(&self) {
        tokio::join!(self.publishes.flush(), self.settles.flush());
    }
}

impl<Q> Clone for Coalesced<Q> {
    fn clone(&self) -> Self {
        Self {
            queue: Arc::clone(&self.queue),
            options: self.options,
            publishes: Arc::clone(&self.publishes),
            settles: Arc::clone(&self.settles),
        }
    }
}

impl<Q: fmt::Debug> fmt::Debug for Coalesced<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coalesced")
            .field("queue", &self.queue)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl<Q: Inspect> Inspect for Coalesced<Q> {
    async fn depth(&self) -> Result<Depth, QueueError> {
        self.queue.depth().await
    }

    async fn purge(&self) -> Result<(), QueueError> {
        self.queue.purge().await
    }
}

#[cfg(test)]
mod tests;
