//! The role of handling several messages at once.

use async_trait::async_trait;

use crate::{Context, Verdict};

/// Handles messages of type `M` several at a time, for work that is cheaper in bulk.
///
/// Every `Fn(Vec<(M, Context)>) -> impl Future<Output = Vec<Verdict>>` is one.
///
/// # Guarantees
/// Of whoever calls it: those of [`Handler`](crate::Handler). Each message gets the verdict at its place; a message
/// without one is retried (Q6, W3).
#[async_trait]
pub trait BatchHandler<M>: Send + Sync {
    /// Handles `batch` and gives a verdict for each message, in the same order.
    async fn handle(&self, batch: Vec<(M, Context)>) -> Vec<Verdict>;
}

#[async_trait]
impl<M, F, R> BatchHandler<M> for F
where
    M: Send + 'static,
    F: Fn(Vec<(M, Context)>) -> R + Send + Sync,
    R: Future<Output = Vec<Verdict>> + Send,
{
    async fn handle(&self, batch: Vec<(M, Context)>) -> Vec<Verdict> {
        self(batch).await
    }
}
