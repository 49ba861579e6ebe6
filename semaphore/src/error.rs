//! What went wrong with a semaphore call, by meaning rather than by backend.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What an error means for the caller, whichever backend raised it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SemaphoreErrorKind {
    /// It did not happen and may succeed later: refused connection, deadlock, overloaded.
    Transient,
    /// It may or may not have happened: the answer was lost.
    Indeterminate,
    /// It did not happen and never will as it stands: a limit broken, a malformed request.
    Permanent,
    /// The slot is no longer ours: its lease ran out, or it was released or taken by force.
    Lost,
    /// The semaphore or its client was shut down.
    Closed,
}

impl SemaphoreErrorKind {
    /// Tells whether the same call, made again later, can succeed.
    #[must_use]
    pub const fn is_passing(self) -> bool {
        matches!(self, Self::Transient | Self::Indeterminate)
    }
}

impl fmt::Display for SemaphoreErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Transient => "transient",
            Self::Indeterminate => "indeterminate",
            Self::Permanent => "permanent",
            Self::Lost => "lost",
            Self::Closed => "closed",
        })
    }
}

/// An error of a semaphore call.
///
/// Opaque: decide by [`kind`](Self::kind). `Display` gives the kind and the message and never repeats the source.
#[derive(Clone, Debug)]
pub struct SemaphoreError {
    kind: SemaphoreErrorKind,
    message: Cow<'static, str>,
    retry_after: Option<Duration>,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

impl SemaphoreError {
    /// Makes an error of `kind`; `message` says what was tried and what would be right.
    pub fn new(kind: SemaphoreErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, message: message.into(), retry_after: None, source: None }
    }

    /// Makes a [`Transient`](SemaphoreErrorKind::Transient) error.
    pub fn transient(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(SemaphoreErrorKind::Transient, message)
    }

    /// Makes an [`Indeterminate`](SemaphoreErrorKind::Indeterminate) error.
    pub fn indeterminate(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(SemaphoreErrorKind::Indeterminate, message)
    }

    /// Makes a [`Permanent`](SemaphoreErrorKind::Permanent) error.
    pub fn permanent(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(SemaphoreErrorKind::Permanent, message)
    }

    /// Makes a [`Lost`](SemaphoreErrorKind::Lost) error.
    pub fn lost(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(SemaphoreErrorKind::Lost, message)
    }

    /// Makes a [`Closed`](SemaphoreErrorKind::Closed) error.
    pub fn closed(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(SemaphoreErrorKind::Closed, message)
    }

    /// Adds what caused it.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(Arc::from(source.into()));
        self
    }

    /// Adds the time the backend asked to be left alone.
    #[must_use]
    pub fn with_retry_after(mut self, retry_after: Duration) -> Self {
        self.retry_after = Some(retry_after);
        self
    }

    /// What the error means.
    pub fn kind(&self) -> SemaphoreErrorKind {
        self.kind
    }

    /// What was tried and what would be right, without the kind.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The time the backend asked to be left alone, if it named one.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }
}

impl fmt::Display for SemaphoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}

impl Error for SemaphoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_never_repeats_the_source() {
        let error = SemaphoreError::transient("renew").with_source("connection reset");
        assert_eq!(error.to_string(), "transient: renew");
        assert_eq!(error.source().unwrap().to_string(), "connection reset");
    }

    #[test]
    fn only_transient_and_indeterminate_errors_pass() {
        use SemaphoreErrorKind::{Closed, Indeterminate, Lost, Permanent, Transient};
        let passing = [Transient, Indeterminate, Permanent, Lost, Closed].map(SemaphoreErrorKind::is_passing);
        assert_eq!(passing, [true, true, false, false, false]);
    }
}
