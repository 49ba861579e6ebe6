//! A row of the error table: the codes, and what they mean.

use std::borrow::Cow;
use std::time::Duration;

use queue_core::QueueErrorKind::{Indeterminate, Permanent, Transient};
use queue_core::{QueueError, QueueErrorKind};

use super::{sns, table};

/// Codes of one meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The codes, without what [`bare`] takes off.
    pub(crate) codes: &'static [&'static str],
    /// What the service's message has to contain for this row; the first row that fits is the one.
    pub(crate) words: &'static str,
    pub(crate) kind: QueueErrorKind,
    /// The seconds for which the service wants to be left alone.
    pub(crate) pause: Option<u64>,
    /// What it means, and what would be right.
    pub(crate) meaning: &'static str,
}

/// Who is to blame, by the service's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Sender,
    Service,
}

/// What the service said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report<'a> {
    pub(crate) code: &'a str,
    pub(crate) words: &'a str,
    pub(crate) fault: Fault,
}

/// A throttle by a name that is new to us.
const THROTTLED: Row = Row::new(&[], Transient, "too many requests").with_pause(1);
/// An unknown code, the sender's fault.
const REFUSED: Row = Row::new(&[], Permanent, "the service refused it");
/// An unknown code, the service's fault: it may have failed after the deed.
const FAILED: Row = Row::new(&[], Indeterminate, "the service failed");

/// All rows.
pub(crate) fn rows() -> impl Iterator<Item = &'static Row> {
    table::ROWS.iter().chain(sns::ROWS)
}

/// The row that a report falls under.
pub(crate) fn find(report: Report<'_>) -> &'static Row {
    let code = bare(report.code);
    let fits = |row: &&Row| row.codes.contains(&&*code) && report.words.contains(row.words);
    rows().find(fits).unwrap_or(match report.fault {
        _ if code.to_ascii_lowercase().contains("throttl") => &THROTTLED,
        Fault::Sender => &REFUSED,
        Fault::Service => &FAILED,
    })
}

/// A code without the old protocol's prefixes and without "Exception": `AWS.SimpleQueueService.OverLimit` is
/// `OverLimit`; `KMS.DisabledException`, `KMSDisabled` and `KmsDisabled` are one.
pub(crate) fn bare(code: &str) -> Cow<'_, str> {
    let code = code.strip_prefix("AWS.SimpleQueueService.").unwrap_or(code);
    let code = code.strip_suffix("Exception").unwrap_or(code);
    let key = code.strip_prefix("KMS.").or_else(|| code.strip_prefix("KMS"));
    key.map_or(Cow::Borrowed(code), |rest| Cow::Owned(format!("Kms{rest}")))
}

impl Row {
    pub(super) const fn new(
        codes: &'static [&'static str],
        kind: QueueErrorKind,
        meaning: &'static str,
    ) -> Self {
        Self { codes, words: "", kind, pause: None, meaning }
    }

    pub(super) const fn with_words(self, words: &'static str) -> Self {
        Self { words, ..self }
    }

    pub(super) const fn with_pause(self, seconds: u64) -> Self {
        Self { pause: Some(seconds), ..self }
    }

    pub(super) fn of_call(&self, what: &str, code: &str) -> QueueError {
        self.error(self.kind, format!("{what}: {} ({code})", self.meaning))
    }

    /// There is no source that could say the service's words.
    pub(super) fn of_entry(&self, what: &str, code: &str, words: &str) -> QueueError {
        let kind = self.kind_of_entry();
        let said = if words.is_empty() { code.to_owned() } else { format!("{code}: {words}") };
        self.error(kind, format!("{what}: {} ({said})", self.meaning))
    }

    /// An entry that failed by the service's own word did not happen.
    pub(crate) const fn kind_of_entry(&self) -> QueueErrorKind {
        match self.kind {
            Indeterminate => Transient,
            kind => kind,
        }
    }

    fn error(&self, kind: QueueErrorKind, message: String) -> QueueError {
        let error = QueueError::new(kind, message);
        match self.pause {
            Some(pause) => error.with_retry_after(Duration::from_secs(pause)),
            None => error,
        }
    }
}
