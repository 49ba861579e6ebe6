//! The role of handling one message.

mod function;
mod json;

use std::sync::Arc;

use async_trait::async_trait;

use crate::{Context, IntoVerdict, Verdict};

pub use function::{Function, FunctionWith, handler};
pub use json::{Json, JsonWith, json};

/// Handles messages of type `M`, one at a time.
///
/// Every `Fn(M, Context) -> impl Future<Output = impl IntoVerdict>` is a handler: a function item, a closure that
/// captures nothing, a closure that returns an `async move` block. [`json`] makes one of a function over a typed
/// body, and [`Json::with`] passes it what it shares.
///
/// # Guarantees
/// Of whoever calls it: the message stays ours while `handle` runs (W4); a panic is a retry (W3).
///
/// A handler must not block its thread: use `spawn_blocking`. A blocked runtime renews and settles nothing.
///
/// # Cancel safety
/// `handle` may be dropped at any await: past its deadline (W4) and at abort (W10). The message then comes back.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a handler of `{M}`",
    note = "a handler is `async fn(message: {M}, context: Context) -> impl IntoVerdict`, or a closure that returns such a future",
    note = "over JSON it is `json(f)` with `async fn f(body: T, context: Context)`; with shared state, `json(f).with(state)` with `async fn f(state: S, body: T, context: Context)`",
    note = "it returns `()`, a `Verdict`, or a `Result<(), E>` whose error is a `Verdict` or can be displayed"
)]
#[async_trait]
pub trait Handler<M>: Send + Sync {
    /// Handles `message` and says what becomes of it.
    async fn handle(&self, message: M, context: Context) -> Verdict;
}

#[async_trait]
impl<M, F, R> Handler<M> for F
where
    M: Send + 'static,
    F: Fn(M, Context) -> R + Send + Sync,
    R: Future<Output: IntoVerdict> + Send,
{
    async fn handle(&self, message: M, context: Context) -> Verdict {
        self(message, context).await.into_verdict()
    }
}

#[async_trait]
impl<M: Send + 'static, H: Handler<M> + ?Sized> Handler<M> for Arc<H> {
    async fn handle(&self, message: M, context: Context) -> Verdict {
        (**self).handle(message, context).await
    }
}
