//! What makes a fresh semaphore for each clause.

use futures::future::BoxFuture;

use super::SemaphoreFixture;

/// Makes a semaphore for each clause: an async function or closure that takes nothing and answers a semaphore or a
/// [`SemaphoreFixture`]. It panics when it can't.
pub trait SemaphoreFactory: Send + Sync + 'static {
    /// Makes a semaphore.
    fn make(&self) -> BoxFuture<'static, SemaphoreFixture>;
}

impl<F, Fut> SemaphoreFactory for F
where
    F: Fn() -> Fut + Send + Sync + 'static,
    Fut: Future<Output: Into<SemaphoreFixture>> + Send + 'static,
{
    fn make(&self) -> BoxFuture<'static, SemaphoreFixture> {
        let semaphore = self();
        Box::pin(async { semaphore.await.into() })
    }
}
