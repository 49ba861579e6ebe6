//! What SQLite's result codes mean.

use std::io;
use std::path::Path;

use queue_core::QueueError;
use sqlx::Sqlite;
use sqlx::error::DatabaseError;

use crate::error::{Judge, Judgement, Moment, cause, classify};

/// Primary result codes, the low byte of the extended ones ("Result and Error Codes" in SQLite's documentation).
const ERROR: i32 = 1;
const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const NOMEM: i32 = 7;
const READONLY: i32 = 8;
const INTERRUPT: i32 = 9;
const IOERR: i32 = 10;
const FULL: i32 = 13;
const CANTOPEN: i32 = 14;
const PROTOCOL: i32 = 15;
const SCHEMA: i32 = 17;

impl Judge for Sqlite {
    fn judge(error: &dyn DatabaseError) -> Judgement {
        match primary(error) {
            BUSY | LOCKED | SCHEMA | PROTOCOL => Judgement::Retry,
            // A file can't be opened when the process has too many open.
            NOMEM | INTERRUPT | IOERR | FULL | CANTOPEN => Judgement::Passing,
            ERROR if error.message().contains("no such table") => Judgement::NoSchema,
            _ => Judgement::Final,
        }
    }
}

/// The primary result code; 0 if it is none.
fn primary(error: &dyn DatabaseError) -> i32 {
    error.code().and_then(|code| code.parse::<i32>().ok()).map_or(0, |code| code & 0xff)
}

/// Whether another connection is in the way, so that nothing happened.
pub(super) fn is_busy(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| Sqlite::judge(error) == Judgement::Retry)
}

/// Whether the tables, or one of them, are not there.
pub(super) fn is_without_tables(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| Sqlite::judge(error) == Judgement::NoSchema)
}

/// Whether it is about something that is not there to be done, such as a transaction that SQLite ended by itself.
pub(super) fn is_plain(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| primary(error) == ERROR)
}

/// What a failed write means to its caller.
///
/// An I/O error may come from the last step, making a commit durable: then it may have happened.
pub(super) fn write_failed(what: &str, file: Option<&Path>, error: sqlx::Error) -> QueueError {
    let what = at(what, file);
    if error.as_database_error().is_some_and(|error| primary(error) == IOERR) {
        return QueueError::indeterminate(format!("{what}: the disk failed")).with_source(cause(error));
    }
    classify::<Sqlite>(&what, Moment::Working, error)
}

/// What a commit that failed means to everyone whose work was in it: a database that is locked or full has stored
/// nothing.
pub(super) fn commit_failed(what: &str, file: Option<&Path>, error: sqlx::Error) -> QueueError {
    let stored_nothing = |error: &dyn DatabaseError| matches!(primary(error), BUSY | LOCKED | FULL);
    if error.as_database_error().is_some_and(stored_nothing) {
        return write_failed(what, file, error);
    }
    QueueError::indeterminate(format!("{}: the commit failed", at(what, file))).with_source(cause(error))
}

/// What it means that a database can't be opened.
pub(super) fn open_failed(file: &Path, error: sqlx::Error) -> QueueError {
    let what = format!("opening the queue database {}", file.display());
    if error.as_database_error().is_some_and(|error| matches!(primary(error), CANTOPEN | READONLY)) {
        return QueueError::permanent(format!("{what}: {}", obstacle(file))).with_source(cause(error));
    }
    classify::<Sqlite>(&what, Moment::Connecting, error)
}

/// What is in the way of opening a file. The file itself is not tried: closing it would end SQLite's locks on it.
fn obstacle(file: &Path) -> &'static str {
    let directory = file.parent().filter(|directory| !directory.as_os_str().is_empty());
    match directory.unwrap_or(Path::new(".")).metadata() {
        _ if file.is_dir() => "it is a directory",
        Ok(found) if !found.is_dir() => "what it is said to lie in is not a directory",
        Err(error) if error.kind() == io::ErrorKind::NotFound => "its directory is missing",
        _ => "it may not be read or written",
    }
}

fn at(what: &str, file: Option<&Path>) -> String {
    file.map_or_else(|| what.to_owned(), |file| format!("{what} in {}", file.display()))
}

#[cfg(test)]
mod tests;
