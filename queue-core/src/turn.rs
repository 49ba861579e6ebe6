//! A turn at the queue: leave to make one poll, given by a gate.

use std::fmt;
use std::time::Duration;

/// How a poll ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The queue answered.
    Received {
        /// How many messages were asked for.
        asked: usize,
        /// How many came.
        got: usize,
        /// How long the answer took.
        waited: Duration,
    },
    /// The queue did not answer, or with an error.
    Failed,
}

type End = Box<dyn FnOnce(Option<Outcome>) + Send>;

/// Leave to make one poll. [`report`](Self::report) how it ended.
///
/// # Drop
/// Hands the turn back: if it was the acting master's, the next waiting worker is acting master at once (G8).
#[must_use = "a turn that is dropped is handed back unused"]
pub struct Turn(Option<End>);

impl Turn {
    /// Makes a turn that calls `end` once: with the outcome when it is reported, with `None` when it is dropped.
    pub fn new(end: impl FnOnce(Option<Outcome>) + Send + 'static) -> Self {
        Self(Some(Box::new(end)))
    }

    /// Reports how the poll ended.
    pub fn report(mut self, outcome: Outcome) {
        self.end(Some(outcome));
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        if let Some(end) = self.0.take() {
            end(outcome);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.end(None);
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Turn")
    }
}
