//! What a database's error means for the caller of a queue.

use std::error::Error;

use queue_core::QueueError;
use sqlx::error::DatabaseError;

/// What an error that a database answered means. It answered, so nothing happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// A deadlock, a serialization failure, a lock that was not had: try again at once.
    Retry,
    /// The server can't just now: it starts, stops, is full.
    Passing,
    /// The tables are not there.
    NoSchema,
    /// It will not go as it stands.
    Final,
}

/// A database that knows its own error codes.
pub(crate) trait Judge: sqlx::Database {
    /// What an error of this database means.
    fn judge(error: &dyn DatabaseError) -> Judgement;
}

/// When a call failed: before or after anything was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// No connection was had.
    Connecting,
    /// A statement was sent.
    Working,
}

/// What the error means to the caller of `what`.
pub(crate) fn classify<DB: Judge>(what: &str, moment: Moment, error: sqlx::Error) -> QueueError {
    use sqlx::Error::{Database, Io, PoolClosed, PoolTimedOut, Protocol, Tls, WorkerCrashed};
    let made = match (&error, moment) {
        (Database(answer), _) => return answered::<DB>(what, &**answer).with_source(cause(error)),
        (PoolClosed, _) => QueueError::closed(format!("{what}: the connection pool is closed")),
        (PoolTimedOut, _) => {
            QueueError::transient(format!("{what}: no connection of the pool became free in time"))
        }
        (Io(_) | Tls(_) | Protocol(_) | WorkerCrashed, Moment::Connecting) => {
            QueueError::transient(format!("{what}: the database can't be reached"))
        }
        (Io(_) | Tls(_) | Protocol(_) | WorkerCrashed, Moment::Working) => {
            QueueError::indeterminate(format!("{what}: the connection broke before the database answered"))
        }
        _ => QueueError::permanent(format!("{what}: the database's answer is not what was expected")),
    };
    made.with_source(cause(error))
}

fn answered<DB: Judge>(what: &str, error: &dyn DatabaseError) -> QueueError {
    match DB::judge(error) {
        Judgement::Retry => {
            QueueError::transient(format!("{what}: other transactions were in the way each time"))
        }
        Judgement::Passing => QueueError::transient(format!("{what}: the database can't just now")),
        Judgement::NoSchema => QueueError::permanent(format!(
            "{what}: the tables are missing; call `migrate` on the database, or apply the files in `migrations`"
        )),
        Judgement::Final => QueueError::permanent(format!("{what}: the database refused it")),
    }
}

/// What caused it, without sqlx's wrapping: that says the words of its own source, and so a chain would say them twice.
pub(crate) fn cause(error: sqlx::Error) -> Box<dyn Error + Send + Sync> {
    use sqlx::Error::{ColumnDecode, Configuration, Database, Decode, Encode, Io, Tls};
    match error {
        Database(answer) => answer.into_error(),
        Io(error) => error.into(),
        Configuration(error) | Tls(error) | Encode(error) | Decode(error) => error,
        ColumnDecode { .. } => error.to_string().into(), // the column's name is worth more than the type
        error => error.into(),
    }
}

/// Whether the call can be made again at once.
pub(crate) fn is_retryable<DB: Judge>(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| DB::judge(error) == Judgement::Retry)
}
