//! The role of running a trigger's work, or declining to.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::{Run, RunOutcome};

/// Stands between a trigger and its work: starts the run, or declines it.
///
/// A runner may ask for something first and give it back after, on every outcome: a panic of the work comes to it as
/// [`RunOutcome::Panicked`], and when the run is given up, the work ends and the runner goes on. It then has a second to
/// return before it is dropped too.
///
/// # Guarantees
/// Of whoever calls it: one call at a time for each trigger (W12).
///
/// # Cancel safety
/// `run` is dropped only a second after [`Run::cancel_token`] fired at the end of a stop's grace, or with the runtime.
///
/// # Examples
/// ```
/// use async_trait::async_trait;
/// use worker::{Run, RunOutcome, Runner};
///
/// /// One run at a time among all triggers that share it.
/// #[derive(Debug)]
/// struct Alone(tokio::sync::Semaphore);
///
/// #[async_trait]
/// impl Runner for Alone {
///     async fn run(&self, run: Run) -> RunOutcome {
///         let Ok(_permit) = self.0.try_acquire() else { return RunOutcome::declined("another one runs") };
///         run.start().await
///     }
/// }
/// ```
#[async_trait]
pub trait Runner: Debug + Send + Sync {
    /// Starts `run` and returns what it returns, or declines it.
    async fn run(&self, run: Run) -> RunOutcome;
}

#[async_trait]
impl<R: Runner + ?Sized> Runner for Arc<R> {
    async fn run(&self, run: Run) -> RunOutcome {
        (**self).run(run).await
    }
}

/// Starts every run.
#[derive(Clone, Copy, Debug, Default)]
pub struct DirectRunner;

#[async_trait]
impl Runner for DirectRunner {
    async fn run(&self, run: Run) -> RunOutcome {
        run.start().await
    }
}
