//! A database that a child can open as well.

use std::env;
use std::net::SocketAddr;
use std::time::Duration;

use harness::Program;
use semaphore::{
    Dialect, FencingToken, Holder, Holders, MySqlSemaphore, Permit, PermitRequest, PgSemaphore, Semaphore,
    SemaphoreKey, SqlSemaphore, SqliteSemaphore, lease, max,
};
use sqlx::{AssertSqlSafe, MySql, Postgres, Sqlite, query};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

/// What a child is told: its role, the kind of its database, where that is, and how its tables begin.
pub(crate) const ROLE: &str = "KILL_ROLE";
pub(crate) const KIND: &str = "KILL_KIND";
pub(crate) const ADDRESS: &str = "KILL_ADDRESS";
pub(crate) const PREFIX: &str = "KILL_PREFIX";

/// The lease of what is killed or frozen.
pub(crate) const LEASE: Duration = Duration::from_secs(2);
/// What goes on without waiting takes no longer than this, however busy the machine is; what waits for a frozen process
/// takes for ever.
const AT_ONCE: Duration = Duration::from_secs(5);

/// A database that a child can open as well.
pub(crate) trait Shared: Dialect {
    /// Its address for others, made in a folder that lives as long as the test.
    fn address(folder: &TempDir) -> String;

    /// Opens the semaphore at an address.
    fn open(address: &str) -> impl Future<Output = SqlSemaphore<Self>> + Send;

    /// Runs a statement, and answers how many rows it found.
    fn run(semaphore: &SqlSemaphore<Self>, sql: String) -> impl Future<Output = u64> + Send;
}

macro_rules! shared {
    ($database:ty, $folder:ident => $address:expr, $at:ident => $semaphore:expr) => {
        impl Shared for $database {
            fn address($folder: &TempDir) -> String {
                $address
            }

            async fn open($at: &str) -> SqlSemaphore<Self> {
                $semaphore
            }

            async fn run(semaphore: &SqlSemaphore<Self>, sql: String) -> u64 {
                query(AssertSqlSafe(sql)).execute(semaphore.pool()).await.unwrap().rows_affected()
            }
        }
    };
}
shared!(
    Sqlite,
    folder => folder.path().join("semaphore.db").display().to_string(),
    address => SqliteSemaphore::open(address).await.unwrap()
);
shared!(
    Postgres,
    _folder => env::var("POSTGRES_URL").expect("POSTGRES_URL is not set: cargo xtask test"),
    address => PgSemaphore::new(sqlx::PgPool::connect(address).await.unwrap())
);
shared!(
    MySql,
    _folder => env::var("MYSQL_URL").expect("MYSQL_URL is not set: cargo xtask test"),
    address => MySqlSemaphore::new(sqlx::MySqlPool::connect(address).await.unwrap())
);

/// A place that a test shares with its children.
pub(crate) struct Place<D: Shared> {
    pub(crate) semaphore: SqlSemaphore<D>,
    pub(crate) address: String,
    pub(crate) prefix: String,
    _folder: TempDir,
}

impl<D: Shared> Place<D> {
    /// With tables of its own, and a row that is written under a fence.
    pub(crate) async fn fresh() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (address, prefix) =
            (D::address(&folder), format!("t{}_", &Uuid::new_v4().simple().to_string()[..12]));
        let semaphore = D::open(&address).await.with_prefix(&prefix);
        semaphore.migrate().await.unwrap();
        D::run(
            &semaphore,
            format!("CREATE TABLE {prefix}guarded (id int PRIMARY KEY, fence bigint NOT NULL)"),
        )
        .await;
        D::run(&semaphore, format!("INSERT INTO {prefix}guarded (id, fence) VALUES (1, 0)")).await;
        Self { semaphore, address, prefix, _folder: folder }
    }

    /// This program in a role.
    pub(crate) fn child(&self, role: &str) -> Program {
        Program::new(env::current_exe().unwrap())
            .with_env(ROLE, role)
            .with_env(KIND, D::NAME)
            .with_env(ADDRESS, &self.address)
            .with_env(PREFIX, &self.prefix)
    }

    /// Where the server listens.
    pub(crate) fn upstream(&self) -> SocketAddr {
        let host = &self.address[self.address.rfind('@').unwrap() + 1..];
        host.split('/').next().unwrap().parse().unwrap()
    }

    /// Who holds the key.
    pub(crate) async fn holders(&self) -> Vec<Holder> {
        self.semaphore.holders(SemaphoreKey::new("k").unwrap()).await.unwrap()
    }

    /// Tries for one of so many permits, and is answered though others may be frozen.
    pub(crate) async fn try_now(&self, permits: u32) -> Option<Permit> {
        let trying = self.semaphore.try_acquire(ask("k", permits));
        timeout(AT_ONCE, trying).await.expect("nobody is waited for").unwrap()
    }

    /// Takes the key's only permit when it is free.
    pub(crate) async fn take_over(&self) -> Permit {
        for _ in 0..400 {
            if let Some(permit) = self.try_now(1).await {
                return permit;
            }
            sleep(Duration::from_millis(20)).await;
        }
        unreachable!("the slot has not become free");
    }

    /// Removes the tables.
    pub(crate) async fn remove(self) {
        for table in ["slot", "floor", "ledger", "guarded"] {
            D::run(&self.semaphore, format!("DROP TABLE {}{table}", self.prefix)).await;
        }
    }
}

/// Asks for a key.
pub(crate) fn ask(key: &str, permits: u32) -> PermitRequest {
    PermitRequest::new(key, max(permits), lease(LEASE))
}

/// Writes under a fence; `false`: a later holder has written.
pub(crate) async fn write<D: Shared>(semaphore: &SqlSemaphore<D>, prefix: &str, fence: FencingToken) -> bool {
    let sql = format!("UPDATE {prefix}guarded SET fence = {fence} WHERE id = 1 AND fence <= {fence}");
    D::run(semaphore, sql).await == 1
}
