//! Opening a database, or the one queue of a small program.

use std::path::{Path, PathBuf};

use queue_core::QueueError;

use super::options::in_memory;
use super::{SqliteDatabase, SqliteOptions, SqliteQueue};

impl SqliteDatabase {
    /// Opens the database file at `path`, with its tables; makes what is not there. Every commit waits for the disk.
    ///
    /// # Cancel safety
    /// Safe: what was not finished is done by the next call.
    ///
    /// # Errors
    /// Those of [`SqliteOptions::connect`] and of [`migrate`](Self::migrate).
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, QueueError> {
        let database = Self::new(SqliteOptions::new(path).connect().await?);
        database.migrate().await?;
        Ok(database)
    }

    /// Makes a database in memory, which is gone with its last handle. It has one connection, for everything.
    ///
    /// # Cancel safety
    /// Safe.
    ///
    /// # Errors
    /// *Transient*: there is no memory for it.
    pub async fn in_memory() -> Result<Self, QueueError> {
        let database = Self::new(in_memory());
        database.migrate().await?;
        Ok(database)
    }
}

impl SqliteQueue {
    /// Opens the queue "default" in the database file at `path`; makes what is not there. It is a standard queue, with
    /// the usual settings; for another use [`SqliteDatabase::open`], then [`queue`](crate::SqlDatabase::queue).
    ///
    /// # Cancel safety
    /// Safe: what was not finished is done by the next call.
    ///
    /// # Errors
    /// Those of [`SqliteDatabase::open`] and of [`SqlQueueBuilder::build`](crate::SqlQueueBuilder::build).
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, QueueError> {
        SqliteDatabase::open(path).await?.queue("default").build().await
    }
}

/// Which file a connection's name means, however it is written; `None` if it is in memory or a URI, of which only SQLite
/// knows.
pub(super) fn file_of(name: &Path) -> Option<PathBuf> {
    let text = name.to_string_lossy();
    if text.is_empty() || text == ":memory:" || text.starts_with("file:") {
        return None;
    }
    let in_directory = || {
        let directory = name.parent().filter(|directory| !directory.as_os_str().is_empty());
        Some(directory.unwrap_or(Path::new(".")).canonicalize().ok()?.join(name.file_name()?))
    };
    name.canonicalize().ok().or_else(in_directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    // TQ14
    #[test]
    fn one_file_has_one_name_and_memory_has_none() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("jobs.db");
        let before = file_of(&path);
        std::fs::write(&path, "").unwrap();
        assert!(before.is_some());
        assert_eq!(file_of(&path), before);
        assert_eq!(file_of(&directory.path().join("./jobs.db")), before);
        for none in ["", ":memory:", "file:sqlx-in-memory-0", "file:jobs.db?mode=rwc"] {
            assert_eq!(file_of(Path::new(none)), None, "{none}");
        }
    }
}
