//! One run of a trigger's work, not yet begun.

use std::any::Any;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;
use queue_core::CancellationToken;
use semaphore::FencingToken;

use super::{RunContext, RunOutcome, Work};

/// One run of a trigger's work, in the hand of its [`Runner`](crate::Runner).
///
/// # Drop
/// The work does not run.
#[must_use = "the work runs only if it is started"]
pub struct Run {
    work: Arc<dyn Work>,
    context: RunContext,
}

impl Run {
    /// Makes a run, as a scheduler does: for the test of a runner.
    pub fn new(work: impl Work + 'static, context: RunContext) -> Self {
        Self { work: Arc::new(work), context }
    }

    /// What the work will be told.
    pub fn context(&self) -> &RunContext {
        &self.context
    }

    /// Tells the work under which fencing token it runs: for runners that take a permit first.
    pub fn with_fencing_token(mut self, token: FencingToken) -> Self {
        self.context = self.context.with_fencing_token(token);
        self
    }

    /// Cancelling this token gives the run up: the work is told, polled once more, and dropped. It fires by itself
    /// when the grace of a stop has passed. A runner keeps a clone, as [`start`](Self::start) takes the run.
    pub fn cancel_token(&self) -> CancellationToken {
        self.context.cancelled().clone()
    }

    /// Does the work, and says how it ended. A panic is an outcome, so that a runner can clean up after it.
    ///
    /// # Guarantees
    /// W12: neither an error nor a panic goes further. W13: the token ends the work, not the runner.
    ///
    /// # Cancel safety
    /// Lossy: dropping it drops the work.
    pub async fn start(self) -> RunOutcome {
        let cancelled = self.cancel_token();
        if cancelled.is_cancelled() {
            return RunOutcome::Cancelled;
        }
        tokio::select! {
            biased; // the work first, so that it hears of the token before it is dropped
            ended = guard(self.work.run(self.context)) => ended,
            () = cancelled.cancelled() => RunOutcome::Cancelled,
        }
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("context", &self.context).finish_non_exhaustive()
    }
}

/// Makes an outcome of a panic.
pub(crate) async fn guard(run: impl Future<Output = RunOutcome>) -> RunOutcome {
    AssertUnwindSafe(run).catch_unwind().await.unwrap_or_else(|panic| RunOutcome::panicked(text(&*panic)))
}

fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
