//! Where a test keeps its database.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use queue_sql::{SqliteDatabase, SqliteQueue};
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};
use tempfile::TempDir;

/// A directory with a database file in it, and a pool whose threads have a name of their own.
pub(crate) struct Place {
    pub(crate) directory: TempDir,
    /// How the threads of the pool are called.
    pub(crate) threads: String,
}

static PLACES: AtomicUsize = AtomicUsize::new(0);

impl Place {
    pub(crate) fn new() -> Self {
        let threads = format!("place-{}", PLACES.fetch_add(1, Ordering::Relaxed));
        Self { directory: tempfile::tempdir().unwrap(), threads }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.directory.path().join("jobs.db")
    }

    pub(crate) fn pool(&self) -> SqlitePool {
        let threads = self.threads.clone();
        let options = SqliteConnectOptions::new()
            .filename(self.file())
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .thread_name(move |_| threads.clone());
        SqlitePoolOptions::new().max_connections(4).connect_lazy_with(options)
    }

    pub(crate) async fn database(&self) -> SqliteDatabase {
        let database = SqliteDatabase::new(self.pool());
        database.migrate().await.unwrap();
        database
    }

    pub(crate) async fn queue(&self) -> SqliteQueue {
        self.database().await.queue("jobs").build().await.unwrap()
    }
}
