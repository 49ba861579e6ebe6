//! Handlers made of a function and the state it shares.

use std::fmt;

use async_trait::async_trait;

use super::Handler;
use crate::{Context, IntoVerdict, Verdict};

/// Names a function as a handler, so that [`with`](Function::with) can pass it what it shares.
pub fn handler<F>(function: F) -> Function<F> {
    Function(function)
}

/// A function on its way to become a handler; see [`handler`].
#[derive(Clone)]
pub struct Function<F>(F);

impl<F> Function<F> {
    /// Passes `state` to each call, before the message: usually an `Arc`.
    pub fn with<S: Clone>(self, state: S) -> FunctionWith<F, S> {
        FunctionWith { function: self.0, state }
    }
}

/// A function that is called with a clone of a shared state first.
#[derive(Clone)]
pub struct FunctionWith<F, S> {
    function: F,
    state: S,
}

#[async_trait]
impl<M, F, R> Handler<M> for Function<F>
where
    M: Send + 'static,
    F: Fn(M, Context) -> R + Send + Sync,
    R: Future<Output: IntoVerdict> + Send,
{
    async fn handle(&self, message: M, context: Context) -> Verdict {
        (self.0)(message, context).await.into_verdict()
    }
}

#[async_trait]
impl<M, F, S, R> Handler<M> for FunctionWith<F, S>
where
    M: Send + 'static,
    S: Clone + Send + Sync,
    F: Fn(S, M, Context) -> R + Send + Sync,
    R: Future<Output: IntoVerdict> + Send,
{
    async fn handle(&self, message: M, context: Context) -> Verdict {
        (self.function)(self.state.clone(), message, context).await.into_verdict()
    }
}

impl<F> fmt::Debug for Function<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Function").field(&std::any::type_name::<F>()).finish()
    }
}

impl<F, S> fmt::Debug for FunctionWith<F, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FunctionWith").field(&std::any::type_name::<F>()).finish()
    }
}
