//! A child that has ended: how, after which points, and what it printed.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use crate::error::{HarnessError, HarnessErrorKind};
use crate::output::Output;
use crate::watch::Seen;

/// A child that has ended.
#[derive(Clone, Debug)]
pub struct Ended {
    pub(crate) name: String,
    pub(crate) status: ExitStatus,
    pub(crate) seen: Seen,
    pub(crate) output: Output,
}

impl Ended {
    /// How it ended.
    pub fn status(&self) -> ExitStatus {
        self.status
    }

    /// Whether a signal ended it, and not itself.
    pub fn was_killed(&self) -> bool {
        self.status.signal().is_some()
    }

    /// The points it passed, each once, in the order of their first pass.
    pub fn points(&self) -> Vec<&str> {
        self.seen.points.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// How often it passed a point.
    pub fn passes(&self, point: &str) -> usize {
        self.seen.passes(point)
    }

    /// What it printed.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// Goes on if it ended by itself and with success.
    ///
    /// # Errors
    /// `Failed` otherwise, with what was seen of it.
    pub fn expect_success(self) -> Result<Self, HarnessError> {
        if self.status.success() {
            return Ok(self);
        }
        let text = format!("{} failed\n{}{}", self.name, self.seen, self.output);
        Err(HarnessError::new(HarnessErrorKind::Failed, text))
    }
}
