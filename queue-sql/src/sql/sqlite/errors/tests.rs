//! Tests of what result codes mean, row by row.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use queue_core::QueueErrorKind::{self, Indeterminate, Permanent, Transient};
use sqlx::error::ErrorKind;

use super::*;

#[derive(Debug)]
struct Answer(i32, &'static str);

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1)
    }
}

impl Error for Answer {}

impl DatabaseError for Answer {
    fn message(&self) -> &str {
        self.1
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        Some(self.0.to_string().into())
    }

    fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn Error + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn Error + Send + Sync + 'static> {
        self
    }

    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

fn error(code: i32, message: &'static str) -> sqlx::Error {
    sqlx::Error::Database(Box::new(Answer(code, message)))
}

/// The code, its name, what it is judged, and the kinds of a failed write and of a failed commit.
const TABLE: [(i32, &str, Judgement, QueueErrorKind, QueueErrorKind); 19] = [
    (1, "SQL logic error", Judgement::Final, Permanent, Indeterminate),
    (1, "no such table: q_message", Judgement::NoSchema, Permanent, Indeterminate),
    (3, "SQLITE_PERM", Judgement::Final, Permanent, Indeterminate),
    (5, "SQLITE_BUSY", Judgement::Retry, Transient, Transient),
    (517, "SQLITE_BUSY_SNAPSHOT", Judgement::Retry, Transient, Transient),
    (261, "SQLITE_BUSY_RECOVERY", Judgement::Retry, Transient, Transient),
    (6, "SQLITE_LOCKED", Judgement::Retry, Transient, Transient),
    (7, "SQLITE_NOMEM", Judgement::Passing, Transient, Indeterminate),
    (8, "SQLITE_READONLY", Judgement::Final, Permanent, Indeterminate),
    (9, "SQLITE_INTERRUPT", Judgement::Passing, Transient, Indeterminate),
    (10, "SQLITE_IOERR", Judgement::Passing, Indeterminate, Indeterminate),
    (1034, "SQLITE_IOERR_FSYNC", Judgement::Passing, Indeterminate, Indeterminate),
    (11, "SQLITE_CORRUPT", Judgement::Final, Permanent, Indeterminate),
    (13, "SQLITE_FULL", Judgement::Passing, Transient, Transient),
    (14, "SQLITE_CANTOPEN", Judgement::Passing, Transient, Indeterminate),
    (15, "SQLITE_PROTOCOL", Judgement::Retry, Transient, Indeterminate),
    (17, "SQLITE_SCHEMA", Judgement::Retry, Transient, Indeterminate),
    (1555, "SQLITE_CONSTRAINT_PRIMARYKEY", Judgement::Final, Permanent, Indeterminate),
    (26, "SQLITE_NOTADB", Judgement::Final, Permanent, Indeterminate),
];

#[test]
fn each_result_code_means_what_the_table_says() {
    let file = Some(Path::new("jobs.db"));
    for (code, message, judgement, write, commit) in TABLE {
        assert_eq!(Sqlite::judge(&Answer(code, message)), judgement, "{code} {message}");
        let failed = write_failed("receive", file, error(code, message));
        assert_eq!(failed.kind(), write, "{code} {message}");
        assert!(failed.message().contains("jobs.db"), "{failed}");
        assert_eq!(commit_failed("receive", file, error(code, message)).kind(), commit, "{code} {message}");
    }
}

#[test]
fn a_file_that_cannot_be_opened_is_named() {
    for code in [14, 26, 8] {
        let failed = open_failed(Path::new("/there/jobs.db"), error(code, "no"));
        assert_eq!(failed.kind(), Permanent, "{code}");
        assert!(failed.message().contains("/there/jobs.db"), "{failed}");
    }
}

#[test]
fn what_is_in_the_way_of_opening_a_file_is_told_apart() {
    let directory = tempfile::tempdir().unwrap();
    let [there, absent] = ["jobs.db", "missing/jobs.db"].map(|name| directory.path().join(name));
    std::fs::write(&there, "").unwrap();
    let table = [
        (directory.path(), "it is a directory"),
        (absent.as_path(), "its directory is missing"),
        (&there.join("jobs.db"), "what it is said to lie in is not a directory"),
        (there.as_path(), "it may not be read or written"),
        (Path::new("jobs.db"), "it may not be read or written"),
    ];
    for (path, why) in table {
        for code in [14, 8] {
            let failed = open_failed(path, error(code, "no"));
            assert!(failed.message().ends_with(&format!("{}: {why}", path.display())), "{failed}");
        }
    }
}

/// The error and all its sources, as a report prints them.
fn chain(error: &QueueError) -> String {
    let sources = std::iter::successors(Some(error as &dyn Error), |error| (*error).source());
    sources.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[test]
fn a_chain_of_sources_says_each_cause_once() {
    let reason = || error(1, "the reason");
    let io = || sqlx::Error::Io(io::Error::other("the reason"));
    let column = sqlx::Error::ColumnDecode { index: "body".to_owned(), source: "the reason".into() };
    let path = Path::new("jobs.db");
    let table = [
        classify::<Sqlite>("receive", Moment::Working, reason()),
        classify::<Sqlite>("receive", Moment::Working, io()),
        classify::<Sqlite>("receive", Moment::Connecting, sqlx::Error::Tls("the reason".into())),
        classify::<Sqlite>("receive", Moment::Working, sqlx::Error::Decode("the reason".into())),
        classify::<Sqlite>("receive", Moment::Working, column),
        write_failed("receive", None, error(10, "the reason")),
        commit_failed("receive", None, reason()),
        open_failed(path, error(14, "the reason")),
        open_failed(path, error(26, "the reason")),
    ];
    for error in table {
        assert_eq!(chain(&error).matches("the reason").count(), 1, "{}", chain(&error));
    }
}
