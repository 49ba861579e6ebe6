//! Where is measured: a database of each kind, with queues in tables of their own.

mod place;
mod raw;

use std::any::Any;
use std::path::Path;

use queue_sql::{MySqlDatabase, PgDatabase, SqlDatabase, SqlDatabaseBuilder, SqlStore, SqliteDatabase};
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};

pub(crate) use place::Place;
use raw::Raw;

/// How many connections a pool has.
const CONNECTIONS: u32 = 16;

/// Opens a database whose tables begin with a prefix.
type Open<S> = Box<dyn Fn(&str) -> anyhow::Result<SqlDatabase<S>> + Send + Sync>;

/// A database.
pub(crate) struct Site<S: SqlStore> {
    pub(crate) name: &'static str,
    raw: Raw,
    open: Open<S>,
}

impl<S: SqlStore> Site<S> {
    fn new(
        name: &'static str,
        raw: Raw,
        builder: impl Fn() -> SqlDatabaseBuilder<S> + Send + Sync + 'static,
    ) -> Self {
        let open = move |prefix: &str| Ok(builder().prefix(prefix).build()?);
        Self { name, raw, open: Box::new(open) }
    }

    /// Makes a queue in tables of its own.
    pub(crate) async fn queue(&self) -> anyhow::Result<Place<S>> {
        let prefix = format!("bench_{:08x}_", fastrand::u32(..));
        let database = (self.open)(&prefix)?;
        database.migrate().await?;
        Ok(Place { queue: database.queue("bench").build().await?, prefix, raw: self.raw.clone() })
    }

    /// Opens a snapshot of the queue's table in another session, until the guard is dropped.
    pub(crate) async fn hold_snapshot(&self, place: &Place<S>) -> anyhow::Result<Box<dyn Any + Send>> {
        self.raw.hold_snapshot(&place.prefix).await
    }
}

pub(crate) async fn sqlite(directory: &Path) -> anyhow::Result<Site<impl SqlStore + use<>>> {
    let file = SqliteConnectOptions::new().filename(directory.join("bench.db")).create_if_missing(true);
    let file = file.journal_mode(SqliteJournalMode::Wal);
    let pool = SqlitePoolOptions::new().max_connections(CONNECTIONS).connect_with(file).await?;
    Ok(Site::new("SQLite", Raw::Sqlite(pool.clone()), move || SqliteDatabase::builder(pool.clone())))
}

pub(crate) async fn postgres(options: PgConnectOptions) -> anyhow::Result<Site<impl SqlStore>> {
    let pool = PgPoolOptions::new().max_connections(CONNECTIONS).connect_with(options).await?;
    Ok(Site::new("PostgreSQL", Raw::Postgres(pool.clone()), move || PgDatabase::builder(pool.clone())))
}

pub(crate) async fn mysql(options: MySqlConnectOptions) -> anyhow::Result<Site<impl SqlStore>> {
    let pool = MySqlPoolOptions::new().max_connections(CONNECTIONS).connect_with(options).await?;
    Ok(Site::new("MariaDB", Raw::MySql(pool.clone()), move || MySqlDatabase::builder(pool.clone())))
}
