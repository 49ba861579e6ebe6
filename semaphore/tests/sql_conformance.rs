//! The conformance suite, for the semaphores in SQL databases.

#![expect(clippy::expect_used, reason = "a factory panics when it can't make a semaphore")]

use std::env;
use std::time::Duration;

use semaphore::{Dialect, MySqlSemaphore, PgSemaphore, SqlSemaphore, SqliteSemaphore};
use sqlx::mysql::MySqlPoolOptions;
use sqlx::postgres::PgPoolOptions;
use testkit::{Promises, SemaphoreFixture};
use tokio::sync::Mutex;
use uuid::Uuid;

testkit::conformance! {
    sqlite_in_memory: semaphore(Promises::leased().slack(SLACK), in_memory),
    sqlite_file: semaphore(Promises::leased().slack(SLACK), file),
    postgres: semaphore(Promises::leased().slack(OVER_A_NETWORK).needs("PostgreSQL: cargo xtask test"), postgres),
    mysql: semaphore(Promises::leased().slack(OVER_A_NETWORK).needs("MariaDB: cargo xtask test"), mysql),
}

/// How late things may be on a busy machine with a slow disk; a lease is four times as long.
const SLACK: Duration = Duration::from_millis(250);
/// The same with a server, for which each clause opens connections and makes tables.
const OVER_A_NETWORK: Duration = Duration::from_millis(500);

async fn in_memory() -> SemaphoreFixture {
    fixture(SqliteSemaphore::in_memory().await.expect("a database in memory"))
}

async fn file() -> SemaphoreFixture {
    let folder = tempfile::tempdir().expect("a folder");
    let semaphore = SqliteSemaphore::open(folder.path().join("semaphore.db")).await.expect("a file");
    fixture(semaphore).keeping(folder)
}

/// Clauses run many at a time. Connecting costs a debug build some hundred milliseconds of computing, for the password's sake: so
/// they connect one after another, and before their time is taken.
static CONNECTING: Mutex<()> = Mutex::const_new(());
const CONNECTIONS: u32 = 2;

async fn postgres() -> SemaphoreFixture {
    let _turn = CONNECTING.lock().await;
    let pool = PgPoolOptions::new().max_connections(CONNECTIONS).connect(&url("POSTGRES_URL")).await;
    migrated(PgSemaphore::new(pool.expect("PostgreSQL answers"))).await
}

async fn mysql() -> SemaphoreFixture {
    let _turn = CONNECTING.lock().await;
    let pool = MySqlPoolOptions::new().max_connections(CONNECTIONS).connect(&url("MYSQL_URL")).await;
    migrated(MySqlSemaphore::new(pool.expect("MariaDB answers"))).await
}

fn url(name: &str) -> String {
    env::var(name).expect("the server's URL is set by cargo xtask test")
}

async fn migrated<D: Dialect>(semaphore: SqlSemaphore<D>) -> SemaphoreFixture {
    let semaphore = semaphore.with_prefix(&format!("c{}_", &Uuid::new_v4().simple().to_string()[..12]));
    semaphore.migrate().await.expect("the tables can be made");
    let mut open = Vec::new();
    for _ in 0..CONNECTIONS {
        open.push(semaphore.pool().acquire().await.expect("the server takes more connections"));
    }
    fixture(semaphore)
}

fn fixture<D: Dialect>(semaphore: SqlSemaphore<D>) -> SemaphoreFixture {
    let semaphore = semaphore.with_shortest_lease(Duration::from_millis(50));
    let collected = semaphore.clone();
    SemaphoreFixture::new(semaphore.clone()).with_holders(semaphore).with_collector(move |idle, limit| {
        let semaphore = collected.clone();
        async move { semaphore.collect(idle, limit).await }
    })
}
