//! Opening a semaphore's file, or one in memory.

use std::error::Error;
use std::io;
use std::path::Path;

use sqlx::error::DatabaseError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteError, SqliteJournalMode, SqlitePoolOptions};

use super::SqliteSemaphore;
use crate::SemaphoreError;

impl SqliteSemaphore {
    /// Opens a file, which is made if it is not there, and makes the tables; its directory has to be there. It uses
    /// write-ahead logging, and each commit is durable.
    ///
    /// # Cancel safety
    /// Safe.
    ///
    /// # Errors
    /// They name the path. *Permanent*: it is a directory, its directory is missing, it may not be read or written, or it
    /// is not a database. *Transient*: it is locked.
    pub async fn open(path: impl AsRef<Path> + Send) -> Result<Self, SemaphoreError> {
        let path = path.as_ref().to_owned();
        let options = SqliteConnectOptions::new()
            .filename(&path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal);
        let semaphore = Self::new(SqlitePoolOptions::new().connect_lazy_with(options));
        semaphore.migrate().await.map_err(|error| failed(&path, error))?;
        Ok(semaphore)
    }

    /// Makes a semaphore in the memory of this process, which is gone with its last clone. For tests.
    ///
    /// # Cancel safety
    /// Safe.
    ///
    /// # Errors
    /// *Permanent*: `SQLite` could not be started.
    pub async fn in_memory() -> Result<Self, SemaphoreError> {
        let options = SqliteConnectOptions::new().in_memory(true);
        // One connection that never ends: the database lives in it. The pool's check of it, dropped half-way, would end it.
        let pool = SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let pool = pool.test_before_acquire(false);
        let semaphore = Self::new(pool.connect_lazy_with(options));
        semaphore.migrate().await?;
        Ok(semaphore)
    }
}

/// Says which file can't be opened, and what is in the way if it is the file system.
fn failed(path: &Path, error: SemaphoreError) -> SemaphoreError {
    let why = if is_of_the_file_system(&error) { format!(": {}", obstacle(path)) } else { String::new() };
    let message = format!("can't open the semaphore database {}{why}", path.display());
    SemaphoreError::new(error.kind(), message).with_source(error)
}

/// Whether the primary result code is READONLY or CANTOPEN.
fn is_of_the_file_system(error: &SemaphoreError) -> bool {
    let answer = error.source().and_then(|source| source.downcast_ref::<SqliteError>());
    let code = answer.and_then(|answer| answer.code()?.parse::<i32>().ok());
    code.is_some_and(|code| matches!(code & 0xff, 8 | 14))
}

/// What is in the way of opening a file. The file itself is not tried: closing it would end `SQLite`'s locks on it.
fn obstacle(file: &Path) -> &'static str {
    let directory = file.parent().filter(|directory| !directory.as_os_str().is_empty());
    match directory.unwrap_or(Path::new(".")).metadata() {
        _ if file.is_dir() => "it is a directory",
        Ok(found) if !found.is_dir() => "what it is said to lie in is not a directory",
        Err(error) if error.kind() == io::ErrorKind::NotFound => "its directory is missing",
        _ => "it may not be read or written",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SemaphoreErrorKind::Permanent;

    /// The error and all its sources, as a report prints them.
    async fn refusal(path: &Path) -> String {
        let error = SqliteSemaphore::open(path).await.unwrap_err();
        assert_eq!(error.kind(), Permanent, "{error}");
        let sources = std::iter::successors(Some(&error as &dyn Error), |error| (*error).source());
        sources.map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }

    #[tokio::test]
    async fn a_file_that_can_not_be_opened_is_named_with_what_is_in_the_way_once() {
        let directory = tempfile::tempdir().unwrap();
        let [there, absent] = ["sem.db", "missing/sem.db"].map(|name| directory.path().join(name));
        std::fs::write(&there, "this is a text of more than one page ".repeat(200)).unwrap();
        let table = [
            (directory.path(), ": it is a directory;", "unable to open database file"),
            (absent.as_path(), ": its directory is missing;", "unable to open database file"),
            (
                &there.join("x"),
                ": what it is said to lie in is not a directory;",
                "unable to open database file",
            ),
            (there.as_path(), ";", "file is not a database"),
        ];
        for (path, why, answer) in table {
            let chain = refusal(path).await;
            let start = format!("permanent: can't open the semaphore database {}{why}", path.display());
            assert!(chain.starts_with(&start), "{chain}");
            assert_eq!(chain.matches(answer).count(), 1, "{chain}");
        }
        assert_eq!(obstacle(&there), "it may not be read or written");
        assert_eq!(obstacle(Path::new("sem.db")), "it may not be read or written");
    }
}
