//! How a run ended.

use std::borrow::Cow;
use std::fmt::Display;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub enum RunOutcome {
    /// The work is done.
    Succeeded,
    /// The work, or its runner, returned an error.
    Failed {
        /// What it said.
        error: Cow<'static, str>,
    },
    /// The work, or its runner, panicked.
    Panicked {
        /// What it said.
        message: Cow<'static, str>,
    },
    /// There was nothing to do, or it was not this process's turn. That is no failure.
    Declined {
        /// Why.
        reason: Cow<'static, str>,
    },
    /// It was given up before its end.
    Cancelled,
}

impl RunOutcome {
    /// The work, or its runner, failed.
    pub fn failed(error: impl Into<Cow<'static, str>>) -> Self {
        Self::Failed { error: error.into() }
    }

    /// There was nothing to do, or it was not this process's turn.
    pub fn declined(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Declined { reason: reason.into() }
    }

    pub(crate) fn panicked(message: impl Into<Cow<'static, str>>) -> Self {
        Self::Panicked { message: message.into() }
    }
}

/// What work may return.
///
/// `()` is [`RunOutcome::Succeeded`]; `Err` of any error that can be displayed is [`RunOutcome::Failed`], so that work
/// uses `?`.
pub trait IntoOutcome {
    /// Makes the outcome.
    fn into_outcome(self) -> RunOutcome;
}

impl IntoOutcome for RunOutcome {
    fn into_outcome(self) -> Self {
        self
    }
}

impl IntoOutcome for () {
    fn into_outcome(self) -> RunOutcome {
        RunOutcome::Succeeded
    }
}

impl<E: Display> IntoOutcome for Result<(), E> {
    fn into_outcome(self) -> RunOutcome {
        self.err().map_or(RunOutcome::Succeeded, |error| RunOutcome::failed(error.to_string()))
    }
}
