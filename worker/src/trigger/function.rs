//! Work made of a function and the state it shares.

use std::fmt;

use async_trait::async_trait;

use super::{IntoOutcome, RunContext, RunOutcome, Work};

/// Names a function as work, so that [`with`](WorkFunction::with) can pass it what it shares.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
/// use worker::{RunContext, Trigger, work};
///
/// async fn count(visits: Arc<Vec<u32>>, _context: RunContext) {
///     println!("{} visits", visits.len());
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let running = Trigger::every(Duration::from_mins(1)).start(work(count).with(Arc::new(vec![7])));
/// # drop(running);
/// # }
/// ```
pub fn work<F>(function: F) -> WorkFunction<F> {
    WorkFunction(function)
}

/// A function on its way to become work; see [`work`].
#[derive(Clone)]
pub struct WorkFunction<F>(F);

impl<F> WorkFunction<F> {
    /// Passes `state` to each run, before the context: usually an `Arc`.
    pub fn with<S: Clone>(self, state: S) -> WorkFunctionWith<F, S> {
        WorkFunctionWith { function: self.0, state }
    }
}

/// A function that is called with a clone of a shared state first.
#[derive(Clone)]
pub struct WorkFunctionWith<F, S> {
    function: F,
    state: S,
}

#[async_trait]
impl<F, S, R> Work for WorkFunctionWith<F, S>
where
    S: Clone + Send + Sync,
    F: Fn(S, RunContext) -> R + Send + Sync,
    R: Future<Output: IntoOutcome> + Send,
{
    async fn run(&self, context: RunContext) -> RunOutcome {
        (self.function)(self.state.clone(), context).await.into_outcome()
    }
}

impl<F> fmt::Debug for WorkFunction<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WorkFunction").field(&std::any::type_name::<F>()).finish()
    }
}

impl<F, S> fmt::Debug for WorkFunctionWith<F, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WorkFunctionWith").field(&std::any::type_name::<F>()).finish()
    }
}
