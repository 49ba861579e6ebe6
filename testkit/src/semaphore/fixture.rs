//! What a factory hands to a clause: a semaphore and what belongs to it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use semaphore::{Holders, Semaphore, SemaphoreError};

type Collector = dyn Fn(Duration, usize) -> BoxFuture<'static, Result<u64, SemaphoreError>> + Send + Sync;

/// A semaphore, and what belongs to it. A semaphore alone becomes one by `From`.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use semaphore::MemorySemaphore;
/// use testkit::SemaphoreFixture;
///
/// async fn fresh() -> SemaphoreFixture {
///     let semaphore = MemorySemaphore::new().with_shortest_lease(Duration::from_millis(100));
///     let collected = semaphore.clone();
///     SemaphoreFixture::new(semaphore.clone()).with_holders(semaphore).with_collector(move |idle, limit| {
///         let semaphore = collected.clone();
///         async move { semaphore.collect(idle, limit).await }
///     })
/// }
/// # drop(testkit::semaphore(testkit::Promises::leased().paused_clock(), fresh));
/// ```
#[must_use]
pub struct SemaphoreFixture {
    pub(crate) semaphore: Arc<dyn Semaphore>,
    pub(crate) holders: Option<Arc<dyn Holders>>,
    pub(crate) collector: Option<Box<Collector>>,
    /// What has to live as long as the semaphore.
    kept: Vec<Box<dyn Any + Send + Sync>>,
}

impl SemaphoreFixture {
    /// Hands over a semaphore.
    pub fn new(semaphore: impl Semaphore + 'static) -> Self {
        Self { semaphore: Arc::new(semaphore), holders: None, collector: None, kept: Vec::new() }
    }

    /// Adds what watches it: for [`Watched`](crate::SemaphorePromise::Watched).
    pub fn with_holders(mut self, holders: impl Holders + 'static) -> Self {
        self.holders = Some(Arc::new(holders));
        self
    }

    /// Adds what forgets slots that have been free for so long, so many of them at most, and says how many it forgot:
    /// for [`Collects`](crate::SemaphorePromise::Collects).
    pub fn with_collector<F, Fut>(mut self, collect: F) -> Self
    where
        F: Fn(Duration, usize) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<u64, SemaphoreError>> + Send + 'static,
    {
        self.collector = Some(Box::new(move |idle, limit| Box::pin(collect(idle, limit))));
        self
    }

    /// Keeps something until the clause ends, such as the guard of a temporary directory.
    pub fn keeping(mut self, guard: impl Any + Send + Sync) -> Self {
        self.kept.push(Box::new(guard));
        self
    }
}

impl<S: Semaphore + 'static> From<S> for SemaphoreFixture {
    fn from(semaphore: S) -> Self {
        Self::new(semaphore)
    }
}

impl fmt::Debug for SemaphoreFixture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SemaphoreFixture")
            .field("semaphore", &self.semaphore)
            .field("holders", &self.holders)
            .finish_non_exhaustive()
    }
}
