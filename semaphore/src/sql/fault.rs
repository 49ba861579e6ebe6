//! What a database's error means.

use std::error::Error as StdError;

use sqlx::Error;

use super::Dialect;
use crate::{SemaphoreError, SemaphoreErrorKind};
use SemaphoreErrorKind::{Closed, Indeterminate, Permanent, Transient};

/// What an error means for the call and for its connection.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub(super) kind: SemaphoreErrorKind,
    /// Whether the database undid the statement in favour of another one: it is tried again at once.
    pub(super) again: bool,
    /// Whether the connection is as good as before.
    pub(super) sound: bool,
    /// What to do about it.
    pub(super) advice: &'static str,
}

impl Fault {
    /// It did not happen and never will as it stands: the default for what a database answers.
    pub(super) const PERMANENT: Self =
        Self { kind: Permanent, again: false, sound: true, advice: "the database refused it" };
    /// It did not happen: the database was short of something.
    pub(super) const TRANSIENT: Self =
        Self { kind: Transient, again: false, sound: true, advice: "the database could not do it now" };
    /// It was undone in favour of another statement.
    pub(super) const AGAIN: Self = Self {
        kind: Transient,
        again: true,
        sound: true,
        advice: "the database was busy with others until the deadline",
    };
    /// The tables are not there.
    pub(super) const NO_TABLES: Self = Self {
        kind: Permanent,
        again: false,
        sound: true,
        advice: "the tables are missing or old: run migrate()",
    };
    /// The server takes no writes; after a failover, a new connection finds the one that does.
    #[cfg(any(feature = "mysql", feature = "postgres"))]
    pub(super) const READ_ONLY: Self = Self {
        kind: Transient,
        again: false,
        sound: false,
        advice: "the server is read-only: it was not, or is not yet, the primary",
    };
    /// The credentials are refused. Passing, because those that expire are renewed elsewhere and nothing was sent.
    #[cfg(any(feature = "mysql", feature = "postgres"))]
    pub(super) const CREDENTIALS: Self =
        Self { kind: Transient, again: false, sound: false, advice: "the database refused the credentials" };
    /// The server ended the connection, maybe after the statement.
    pub(super) const CUT_OFF: Self =
        Self { kind: Indeterminate, again: false, sound: false, advice: "the answer was lost" };

    /// Judges an error of a statement that may have been sent.
    pub(super) fn of<D: Dialect>(error: &Error) -> Self {
        match error {
            Error::Database(error) => D::judge(error.as_ref()),
            Error::Encode(_) | Error::InvalidArgument(_) => {
                Self { advice: "the request can't be sent", ..Self::PERMANENT }
            }
            _ => Self::CUT_OFF,
        }
    }

    /// Judges an error of the pool, before a statement was sent.
    pub(super) fn of_pool<D: Dialect>(error: &Error) -> Self {
        let no_connection = Self { advice: "no connection could be had", ..Self::TRANSIENT };
        match error {
            Error::PoolClosed => Self { kind: Closed, advice: "the pool is closed", ..Self::PERMANENT },
            Error::Configuration(_) => {
                Self { advice: "the connection's options are wrong", ..Self::PERMANENT }
            }
            Error::Database(error) => match D::judge(error.as_ref()) {
                fault if fault.kind == Indeterminate => no_connection,
                fault => fault,
            },
            _ => no_connection,
        }
    }

    /// Makes the caller's error of it.
    pub(super) fn error(self, what: &str, source: Error) -> SemaphoreError {
        SemaphoreError::new(self.kind, format!("can't {what}: {}", self.advice)).with_source(cause(source))
    }
}

/// What caused it, without sqlx's wrapping: that says the words of its own source, and so a chain would say them twice.
fn cause(error: Error) -> Box<dyn StdError + Send + Sync> {
    match error {
        Error::Database(answer) => answer.into_error(),
        Error::Io(error) => error.into(),
        Error::Configuration(error) | Error::Tls(error) | Error::Encode(error) | Error::Decode(error) => {
            error
        }
        Error::ColumnDecode { .. } => error.to_string().into(), // the column's name is worth more than the type
        error => error.into(),
    }
}

#[cfg(all(test, feature = "sqlite"))]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn what_was_not_sent_passes_and_what_was_sent_is_indeterminate() {
        let reset = || Error::Io(io::Error::from(io::ErrorKind::ConnectionReset));
        let eof = || Error::Io(io::Error::from(io::ErrorKind::UnexpectedEof));
        let refused = || Error::Io(io::Error::from(io::ErrorKind::ConnectionRefused));
        let table = [
            (reset(), Transient, Indeterminate),
            (eof(), Transient, Indeterminate),
            (refused(), Transient, Indeterminate),
            (Error::PoolTimedOut, Transient, Indeterminate),
            (Error::Protocol("x".to_owned()), Transient, Indeterminate),
            (Error::Tls("x".into()), Transient, Indeterminate),
            (Error::WorkerCrashed, Transient, Indeterminate),
            (Error::Decode("x".into()), Transient, Indeterminate),
            (Error::PoolClosed, Closed, Indeterminate),
            (Error::Configuration("x".into()), Permanent, Indeterminate),
            (Error::Encode("x".into()), Transient, Permanent),
        ];
        for (error, before, after) in table {
            assert_eq!(Fault::of_pool::<sqlx::Sqlite>(&error).kind, before, "{error}");
            let fault = Fault::of::<sqlx::Sqlite>(&error);
            assert_eq!(fault.kind, after, "{error}");
            assert!(fault.kind != Indeterminate || !fault.sound, "{error}: the connection is thrown away");
        }
    }

    #[test]
    fn the_message_says_what_was_tried_and_leaves_the_cause_to_the_source() {
        let error = Fault::NO_TABLES.error("take a permit", Error::PoolClosed);
        assert_eq!(
            error.to_string(),
            "permanent: can't take a permit: the tables are missing or old: run migrate()"
        );
    }

    #[test]
    fn a_chain_of_sources_says_each_cause_once() {
        let reason = || "the reason".into();
        let table = [
            Error::Io(io::Error::other("the reason")),
            Error::Configuration(reason()),
            Error::Tls(reason()),
            Error::Encode(reason()),
            Error::Decode(reason()),
            Error::ColumnDecode { index: "slot".to_owned(), source: reason() },
            Error::Protocol("the reason".to_owned()),
        ];
        for error in table {
            let error = Fault::PERMANENT.error("take a permit", error);
            let sources = std::iter::successors(Some(&error as &dyn StdError), |error| (*error).source());
            let chain = sources.map(ToString::to_string).collect::<Vec<_>>().join(": ");
            assert_eq!(chain.matches("the reason").count(), 1, "{chain}");
        }
    }
}
