//! Where is measured: tables of our own on each server, and a relay before it that counts.

use benches::{Protocol, Statements, Wire, mysql, postgres};
use queue_sql::{MySqlDatabase, MySqlQueue, PgDatabase, PgQueue, SqliteDatabase, SqliteQueue};
use semaphore::{MySqlSemaphore, PgSemaphore, SqliteSemaphore};
use sqlx::mysql::{MySqlPool, MySqlPoolOptions};
use sqlx::postgres::{PgPool, PgPoolOptions};
use tempfile::TempDir;

/// What counts round trips, or statements where there is no wire.
pub(crate) trait Counter: Sync {
    fn count(&self) -> u64;
}

impl Counter for Statements {
    fn count(&self) -> u64 {
        Self::count(self)
    }
}

/// All places.
pub(crate) struct Site {
    pub(crate) statements: Statements,
    pub(crate) postgres: Option<Place<PgPool>>,
    pub(crate) mysql: Option<Place<MySqlPool>>,
    directory: TempDir,
}

/// A server, reached through a relay that counts.
pub(crate) struct Place<P> {
    pool: P,
    wire: Wire,
}

impl<P: Sync> Counter for Place<P> {
    fn count(&self) -> u64 {
        self.wire.trips()
    }
}

impl Site {
    pub(crate) async fn open() -> anyhow::Result<Self> {
        let (mut pg, mut my) = (None, None);
        if let Some(options) = postgres() {
            let wire = Wire::to(format!("{}:{}", options.get_host(), options.get_port()), Protocol::Postgres)
                .await?;
            let options = options.host("127.0.0.1").port(wire.port());
            let pool = PgPoolOptions::new().max_connections(1).test_before_acquire(false);
            pg = Some(Place { pool: pool.connect_with(options).await?, wire });
        }
        if let Some(options) = mysql() {
            let wire =
                Wire::to(format!("{}:{}", options.get_host(), options.get_port()), Protocol::MySql).await?;
            let options = options.host("127.0.0.1").port(wire.port());
            let pool = MySqlPoolOptions::new().max_connections(1).test_before_acquire(false);
            my = Some(Place { pool: pool.connect_with(options).await?, wire });
        }
        let directory = tempfile::tempdir()?;
        Ok(Self { statements: Statements::listen(), postgres: pg, mysql: my, directory })
    }

    pub(crate) async fn sqlite_semaphore(&self) -> anyhow::Result<SqliteSemaphore> {
        let semaphore = SqliteSemaphore::open(self.directory.path().join("semaphore.db")).await?;
        semaphore.migrate().await?;
        Ok(semaphore)
    }

    pub(crate) async fn sqlite_queue(&self) -> anyhow::Result<SqliteQueue> {
        let database = SqliteDatabase::open(self.directory.path().join("queue.db")).await?;
        database.migrate().await?;
        Ok(database.queue("counts").build().await?)
    }
}

/// A prefix of tables that no other run has.
fn prefix() -> String {
    format!("bench_{:08x}_", fastrand::u32(..))
}

impl Place<PgPool> {
    pub(crate) async fn semaphore(&self) -> anyhow::Result<PgSemaphore> {
        let semaphore = PgSemaphore::new(self.pool.clone()).with_prefix(&prefix());
        semaphore.migrate().await?;
        Ok(semaphore)
    }

    pub(crate) async fn queue(&self) -> anyhow::Result<PgQueue> {
        let database = PgDatabase::builder(self.pool.clone()).prefix(prefix()).build()?;
        database.migrate().await?;
        Ok(database.queue("counts").build().await?)
    }
}

impl Place<MySqlPool> {
    pub(crate) async fn semaphore(&self) -> anyhow::Result<MySqlSemaphore> {
        let semaphore = MySqlSemaphore::new(self.pool.clone()).with_prefix(&prefix());
        semaphore.migrate().await?;
        Ok(semaphore)
    }

    pub(crate) async fn queue(&self) -> anyhow::Result<MySqlQueue> {
        let database = MySqlDatabase::builder(self.pool.clone()).prefix(prefix()).build()?;
        database.migrate().await?;
        Ok(database.queue("counts").build().await?)
    }
}
