//! The role of doing what a trigger is for.

use std::sync::Arc;

use async_trait::async_trait;

use super::{IntoOutcome, RunContext, RunOutcome};

/// What a trigger runs.
///
/// Every `Fn(RunContext) -> impl Future<Output = impl IntoOutcome>` is work: a function item, a closure that captures
/// nothing, a closure that returns an `async move` block. [`work`](crate::work) passes a function what it shares.
///
/// # Guarantees
/// Of whoever calls it: a panic or an error ends this run and nothing else (W12).
///
/// # Cancel safety
/// `run` may be dropped at any await, after [`RunContext::cancelled`] has fired.
#[async_trait]
pub trait Work: Send + Sync {
    /// Does it once.
    async fn run(&self, context: RunContext) -> RunOutcome;
}

#[async_trait]
impl<F, R> Work for F
where
    F: Fn(RunContext) -> R + Send + Sync,
    R: Future<Output: IntoOutcome> + Send,
{
    async fn run(&self, context: RunContext) -> RunOutcome {
        self(context).await.into_outcome()
    }
}

#[async_trait]
impl<W: Work + ?Sized> Work for Arc<W> {
    async fn run(&self, context: RunContext) -> RunOutcome {
        (**self).run(context).await
    }
}
