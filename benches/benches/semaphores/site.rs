//! Where is measured: a semaphore, and a table of bare rows, on one pool of one database.

use std::path::Path;

use semaphore::{MySqlSemaphore, PgSemaphore, SqliteSemaphore};
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};
use sqlx::{Database, Executor, MySql, Pool, Postgres, Sqlite};

use crate::bare::Bare;

/// How many clients there are, each with a connection.
pub(crate) const CLIENTS: usize = 8;

/// A database, with what is measured on it.
pub(crate) struct Place<DB: Database, S> {
    pub(crate) name: &'static str,
    pub(crate) pool: Pool<DB>,
    pub(crate) semaphore: S,
    pub(crate) bare: Bare,
}

/// A prefix of tables that no other run has.
fn prefix() -> String {
    format!("bench_{:08x}_", fastrand::u32(..))
}

pub(crate) async fn sqlite(directory: &Path) -> anyhow::Result<Place<Sqlite, SqliteSemaphore>> {
    let file = SqliteConnectOptions::new().filename(directory.join("bench.db")).create_if_missing(true);
    let file = file.journal_mode(SqliteJournalMode::Wal);
    let pool =
        SqlitePoolOptions::new().max_connections(8).test_before_acquire(false).connect_with(file).await?;
    let semaphore = SqliteSemaphore::new(pool.clone());
    semaphore.migrate().await?;
    let bare = Bare::new(&prefix(), "?");
    pool.execute(bare.create()).await?;
    pool.execute(bare.fill()).await?;
    Ok(Place { name: "SQLite", pool, semaphore, bare })
}

pub(crate) async fn postgres(options: PgConnectOptions) -> anyhow::Result<Place<Postgres, PgSemaphore>> {
    let pool =
        PgPoolOptions::new().max_connections(8).test_before_acquire(false).connect_with(options).await?;
    let semaphore = PgSemaphore::new(pool.clone()).with_prefix(&prefix());
    semaphore.migrate().await?;
    let bare = Bare::new(&prefix(), "$1");
    pool.execute(bare.create()).await?;
    pool.execute(bare.fill()).await?;
    Ok(Place { name: "PostgreSQL", pool, semaphore, bare })
}

pub(crate) async fn mysql(options: MySqlConnectOptions) -> anyhow::Result<Place<MySql, MySqlSemaphore>> {
    let pool =
        MySqlPoolOptions::new().max_connections(8).test_before_acquire(false).connect_with(options).await?;
    let semaphore = MySqlSemaphore::new(pool.clone()).with_prefix(&prefix());
    semaphore.migrate().await?;
    let bare = Bare::new(&prefix(), "?");
    pool.execute(bare.create()).await?;
    pool.execute(bare.fill()).await?;
    Ok(Place { name: "MariaDB", pool, semaphore, bare })
}
