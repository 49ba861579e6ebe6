//! Databases for tests: tables of their own in each.

use std::env;
use std::time::Duration;

use semaphore::{
    Dialect, MySqlSemaphore, Permit, PermitRequest, PgSemaphore, Semaphore, SqlSemaphore, SqliteSemaphore,
    lease, max,
};
use sqlx::mysql::MySqlPoolOptions;
use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, MySql, Pool, Postgres, Sqlite, query};
use tempfile::TempDir;
use tokio::runtime::{Builder, Handle};
use tokio::task::JoinHandle;
use uuid::Uuid;

/// Makes a test of an async function for each database.
macro_rules! on_each {
    ($($(#[$meta:meta])* $test:ident)*) => { $(
        mod $test {
            use crate::support::{mysql, postgres, run, sqlite};

            $(#[$meta])*
            #[test]
            fn on_sqlite() {
                run(async { super::$test(&sqlite().await).await });
            }

            $(#[$meta])*
            #[test]
            #[ignore = "needs PostgreSQL: cargo xtask test"]
            fn on_postgres() {
                run(async { super::$test(&postgres().await).await });
            }

            $(#[$meta])*
            #[test]
            #[ignore = "needs MariaDB: cargo xtask test"]
            fn on_mysql() {
                run(async { super::$test(&mysql().await).await });
            }
        }
    )* };
}
pub(crate) use on_each;

/// A database with tables of its own.
pub(crate) struct Db<D: Dialect> {
    pub(crate) semaphore: SqlSemaphore<D>,
    pub(crate) prefix: String,
    _folder: Option<TempDir>,
}

impl<D: Dialect> Db<D> {
    pub(crate) async fn new(semaphore: SqlSemaphore<D>, folder: Option<TempDir>) -> Self {
        let prefix = format!("t{}_", &Uuid::new_v4().simple().to_string()[..12]);
        let semaphore = semaphore.with_prefix(&prefix).with_shortest_lease(ms(20));
        semaphore.migrate().await.unwrap();
        Self { semaphore, prefix, _folder: folder }
    }
}

/// What a test asks of a database by other means than the semaphore.
pub(crate) trait Probe: Dialect {
    /// Runs a statement, in which `sem_slot` and `sem_floor` stand for the tables.
    async fn run(db: &Db<Self>, sql: &str) -> u64;
    /// Reads one number.
    async fn number(db: &Db<Self>, sql: &str) -> i64;
}

macro_rules! probe {
    ($database:ty) => {
        impl Probe for $database {
            async fn run(db: &Db<Self>, sql: &str) -> u64 {
                let sql = AssertSqlSafe(
                    sql.replace("sem_", &db.prefix).replace(&format!("{}key", db.prefix), "sem_key"),
                );
                query(sql).execute(db.semaphore.pool()).await.unwrap().rows_affected()
            }

            async fn number(db: &Db<Self>, sql: &str) -> i64 {
                let sql = AssertSqlSafe(
                    sql.replace("sem_", &db.prefix).replace(&format!("{}key", db.prefix), "sem_key"),
                );
                sqlx::query_scalar(sql).fetch_one(db.semaphore.pool()).await.unwrap()
            }
        }
    };
}
probe!(Sqlite);
probe!(Postgres);
probe!(MySql);

pub(crate) async fn sqlite() -> Db<Sqlite> {
    let folder = tempfile::tempdir().unwrap();
    let semaphore = SqliteSemaphore::open(folder.path().join("semaphore.db")).await.unwrap();
    Db::new(semaphore, Some(folder)).await
}

pub(crate) async fn postgres() -> Db<Postgres> {
    postgres_with(PgPoolOptions::new().max_connections(8)).await
}

pub(crate) async fn postgres_with(options: PgPoolOptions) -> Db<Postgres> {
    Db::new(PgSemaphore::new(options.connect(&url("POSTGRES_URL")).await.unwrap()), None).await
}

pub(crate) async fn mysql() -> Db<MySql> {
    mysql_with(MySqlPoolOptions::new().max_connections(8)).await
}

pub(crate) async fn mysql_with(options: MySqlPoolOptions) -> Db<MySql> {
    Db::new(MySqlSemaphore::new(options.connect(&url("MYSQL_URL")).await.unwrap()), None).await
}

pub(crate) fn url(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set: cargo xtask test"))
}

/// Runs a test on several threads, as services do.
pub(crate) fn run(test: impl Future<Output = ()>) {
    Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap().block_on(test);
}

pub(crate) fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Asks for a key with a lease that no test outlives.
pub(crate) fn ask(key: &str, permits: u32) -> PermitRequest {
    PermitRequest::new(key, max(permits), lease(ms(60_000)))
}

pub(crate) async fn take<D: Dialect>(semaphore: &SqlSemaphore<D>, key: &str, permits: u32) -> Permit {
    semaphore.try_acquire(ask(key, permits)).await.unwrap().expect("a slot is free")
}

pub(crate) async fn is_full<D: Dialect>(semaphore: &SqlSemaphore<D>, key: &str, permits: u32) {
    let tried = semaphore.try_acquire(ask(key, permits)).await.unwrap();
    assert!(tried.is_none(), "{tried:?}");
}

/// A pool's other users see what is committed.
pub(crate) fn pool_of<D: Dialect>(db: &Db<D>) -> Pool<D> {
    db.semaphore.pool().clone()
}

/// Runs something beside the test.
pub(crate) fn spawn<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    Handle::current().spawn(future)
}
