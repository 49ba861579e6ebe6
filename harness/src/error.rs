//! What can go wrong between a test and its children.

use std::io;

/// What went wrong, in words that hold what was seen until then.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct HarnessError {
    kind: HarnessErrorKind,
    text: String,
    source: Option<io::Error>,
}

/// What went wrong.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum HarnessErrorKind {
    /// A deadline passed.
    Deadline,
    /// The child ended before it got where it was awaited.
    Ended,
    /// The child ended, but not with success.
    Failed,
    /// The child said something on the line for points that is no announcement.
    Garbled,
    /// The operating system refused something: a start, a signal, a file.
    System,
}

impl HarnessError {
    pub(crate) fn new(kind: HarnessErrorKind, text: String) -> Self {
        Self { kind, text, source: None }
    }

    /// What the operating system refused.
    pub(crate) fn system(what: impl Into<String>, source: impl Into<io::Error>) -> Self {
        Self { kind: HarnessErrorKind::System, text: what.into(), source: Some(source.into()) }
    }

    /// What went wrong.
    pub fn kind(&self) -> HarnessErrorKind {
        self.kind
    }
}
