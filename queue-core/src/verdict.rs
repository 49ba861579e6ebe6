//! A handler's answer: what becomes of the message.

use std::borrow::Cow;
use std::fmt::Display;
use std::time::Duration;

/// What becomes of a message after its handler is done with it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// It was handled: delete it (W1).
    Done,
    /// It failed and may succeed later: keep it (W2, W3).
    Retry {
        /// When; `None` leaves it to the receiver's back-off.
        after: Option<Duration>,
        /// Why, for the log.
        reason: Cow<'static, str>,
    },
    /// It will never succeed: quarantine it and delete it (W1).
    Discard {
        /// Why, for the log and for whoever looks into the quarantine.
        reason: Cow<'static, str>,
    },
}

impl Verdict {
    /// Keeps the message; the receiver's back-off says until when.
    pub fn retry(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Retry { after: None, reason: reason.into() }
    }

    /// Keeps the message and makes it visible after `after`.
    pub fn retry_after(after: Duration, reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Retry { after: Some(after), reason: reason.into() }
    }

    /// Gives the message up.
    pub fn discard(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Discard { reason: reason.into() }
    }
}

/// What a handler may return.
///
/// `()` is [`Verdict::Done`]. `Err` of any error that can be displayed is [`Verdict::Retry`] (W3), so that a handler
/// uses `?`. A handler that tells errors apart returns `Result<(), Verdict>` and has `From<ItsError> for Verdict`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` says nothing about what becomes of the message",
    note = "a handler returns `()`, a `Verdict`, or a `Result<(), E>` whose error is a `Verdict` or can be displayed"
)]
pub trait IntoVerdict {
    /// Makes the verdict.
    fn into_verdict(self) -> Verdict;
}

impl IntoVerdict for Verdict {
    fn into_verdict(self) -> Self {
        self
    }
}

impl IntoVerdict for () {
    fn into_verdict(self) -> Verdict {
        Verdict::Done
    }
}

impl IntoVerdict for Result<(), Verdict> {
    fn into_verdict(self) -> Verdict {
        self.err().unwrap_or(Verdict::Done)
    }
}

impl<E: Display> IntoVerdict for Result<(), E> {
    fn into_verdict(self) -> Verdict {
        self.err().map_or(Verdict::Done, |error| Verdict::retry(format!("{error:#}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // W3
    #[test]
    fn an_error_nobody_classified_is_a_retry() {
        let verdict = Err::<(), _>(std::io::Error::other("disk full")).into_verdict();
        assert_eq!(verdict, Verdict::retry("disk full"));
    }

    #[test]
    fn a_classified_error_is_what_it_says() {
        assert_eq!(
            Err::<(), _>(Verdict::discard("no such account")).into_verdict(),
            Verdict::discard("no such account")
        );
        assert_eq!(Ok::<(), Verdict>(()).into_verdict(), Verdict::Done);
        assert_eq!(().into_verdict(), Verdict::Done);
    }
}
