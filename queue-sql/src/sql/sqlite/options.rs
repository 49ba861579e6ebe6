//! How a database file is opened.

use std::path::{Path, PathBuf};
use std::time::Duration;

use queue_core::QueueError;
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use tokio::time::{Instant, sleep};

use super::errors::{is_busy, open_failed};

/// How long a statement waits in SQLite for a lock. It is tried again until the deadline of its call: as long as SQLite
/// waits, nobody can take it back.
const BUSY: Duration = Duration::from_millis(250);
/// How long a file that others are just making is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many connections are open at most: one that writes, the others read.
const CONNECTIONS: u32 = 4;

/// How durable a commit is: `PRAGMA synchronous`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SqliteSynchronous {
    /// Every commit waits for the disk, and survives a power loss. Messages per second are those that wait together,
    /// times what the disk syncs in a second.
    #[default]
    Full,
    /// No commit waits for the disk. All survive a crash of the process; a power loss or a crash of the system may undo the
    /// last ones, in order: published messages are lost then, and deleted ones come again. It never damages the file.
    Normal,
}

/// How a database file is opened.
///
/// # Examples
/// ```
/// use queue_sql::{SqliteDatabase, SqliteOptions, SqliteSynchronous};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("jobs.db");
/// let pool = SqliteOptions::new(path).synchronous(SqliteSynchronous::Normal).connect().await?;
/// let database = SqliteDatabase::builder(pool).prefix("jobs_").build()?;
/// database.migrate().await?;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is opened until `connect` is called"]
pub struct SqliteOptions {
    path: PathBuf,
    synchronous: SqliteSynchronous,
}

impl SqliteOptions {
    /// Opens the file at `path`, and makes it if it is not there; its directory has to be.
    pub fn new(path: impl AsRef<Path>) -> Self {
        Self { path: path.as_ref().to_owned(), synchronous: SqliteSynchronous::default() }
    }

    /// Sets how durable a commit is: [`SqliteSynchronous::Full`] by default.
    pub fn synchronous(mut self, synchronous: SqliteSynchronous) -> Self {
        self.synchronous = synchronous;
        self
    }

    /// Makes a pool as this crate wants it: in WAL mode, which the file remembers, and with four connections.
    ///
    /// # Cancel safety
    /// Safe: the file may have been made.
    ///
    /// # Errors
    /// *Permanent*: the path is a directory, its directory is missing, the file may not be written, or is not a database; it names
    /// the path. *Transient*: others are just making it; the disk is full.
    pub async fn connect(&self) -> Result<SqlitePool, QueueError> {
        let pool = self.pool();
        let deadline = Instant::now() + PATIENCE;
        loop {
            match set_wal(&pool).await {
                Ok(()) => return Ok(pool),
                Err(error) if is_busy(&error) && Instant::now() < deadline => sleep(PATIENCE / 500).await,
                Err(error) => return Err(open_failed(&self.path, error)),
            }
        }
    }

    fn pool(&self) -> SqlitePool {
        let synchronous = match self.synchronous {
            SqliteSynchronous::Full => sqlx::sqlite::SqliteSynchronous::Full,
            SqliteSynchronous::Normal => sqlx::sqlite::SqliteSynchronous::Normal,
        };
        let options = SqliteConnectOptions::new()
            .filename(&self.path)
            .create_if_missing(true)
            .busy_timeout(BUSY)
            .synchronous(synchronous);
        let pool = SqlitePoolOptions::new().max_connections(CONNECTIONS).test_before_acquire(false);
        pool.connect_lazy_with(options)
    }
}

/// Sets the file's journal mode. Where a file system has no shared memory it stays what it was, which is slower.
async fn set_wal(pool: &SqlitePool) -> Result<(), sqlx::Error> {
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode = WAL").fetch_one(pool).await?;
    if mode != "wal" {
        tracing::warn!(
            mode,
            "the queue database can't be in WAL mode here: readers and writers block each other"
        );
    }
    Ok(())
}

/// A pool of one connection to a database in memory, which is gone with it.
pub(super) fn in_memory() -> SqlitePool {
    let pool = SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
    pool.test_before_acquire(false).connect_lazy_with(SqliteConnectOptions::new().in_memory(true))
}
