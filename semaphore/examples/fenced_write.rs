//! A fenced write: a row that a permit protects refuses a holder whose lease has run out, on each database.
//!
//! ```sh
//! cargo run -p semaphore --example fenced_write --features sqlite,postgres,mysql
//! cargo run -p semaphore --example fenced_write --features sqlite,postgres,mysql -- postgres://localhost/app
//! ```
//!
//! A lease alone protects nothing: its holder may be frozen, or cut off, and write after another has taken over. So each
//! write carries the fencing token of the permit under which it is made, and the row takes none that is older than the
//! last it took. Write this way where the maximum is one; with more permits, keep a fence for each slot.

#![expect(clippy::print_stdout, reason = "an example tells what it does")]

use std::env;
use std::error::Error;
use std::time::Duration;

use semaphore::{
    FencingToken, MySqlSemaphore, Permit, PermitRequest, PgSemaphore, Semaphore, SemaphoreExt,
    SqliteSemaphore, lease, max,
};
use sqlx::mysql::MySqlPool;
use sqlx::postgres::PgPool;
use sqlx::{AssertSqlSafe, query};

const LEASE: Duration = Duration::from_secs(1);

/// A row in the database that holds the semaphore, too.
enum Row {
    Sqlite(SqliteSemaphore),
    Postgres(PgSemaphore),
    MySql(MySqlSemaphore),
}

impl Row {
    async fn open(url: &str, prefix: &str) -> Result<Self, Box<dyn Error>> {
        let row = if let Some(path) = url.strip_prefix("sqlite:") {
            Self::Sqlite(SqliteSemaphore::open(path).await?.with_prefix(prefix))
        } else if url.starts_with("postgres") {
            Self::Postgres(PgSemaphore::new(PgPool::connect(url).await?).with_prefix(prefix))
        } else {
            Self::MySql(MySqlSemaphore::new(MySqlPool::connect(url).await?).with_prefix(prefix))
        };
        match &row {
            Self::Sqlite(semaphore) => semaphore.migrate().await?,
            Self::Postgres(semaphore) => semaphore.migrate().await?,
            Self::MySql(semaphore) => semaphore.migrate().await?,
        }
        row.run(
            format!("CREATE TABLE {prefix}stock (id int PRIMARY KEY, pieces bigint, fence bigint NOT NULL)"),
            &[],
        )
        .await?;
        row.run(format!("INSERT INTO {prefix}stock (id, pieces, fence) VALUES (1, 0, 0)"), &[]).await?;
        Ok(row)
    }

    /// Writes under a permit. `false`: a later holder has written already.
    async fn write(&self, prefix: &str, pieces: i64, fence: FencingToken) -> Result<bool, Box<dyn Error>> {
        let sql = match self {
            Self::Postgres(_) => "UPDATE {}stock SET pieces = $1, fence = $2 WHERE id = 1 AND fence <= $3",
            _ => "UPDATE {}stock SET pieces = ?, fence = ? WHERE id = 1 AND fence <= ?",
        };
        let fence = i64::try_from(fence.get())?;
        Ok(self.run(sql.replace("{}", prefix), &[pieces, fence, fence]).await? == 1)
    }

    /// Runs a statement and says how many rows it found.
    async fn run(&self, sql: String, values: &[i64]) -> Result<u64, Box<dyn Error>> {
        let sql = AssertSqlSafe(sql);
        Ok(match self {
            Self::Sqlite(semaphore) => {
                let query = values.iter().fold(query(sql), |query, value| query.bind(*value));
                query.execute(semaphore.pool()).await?.rows_affected()
            }
            Self::Postgres(semaphore) => {
                let query = values.iter().fold(query(sql), |query, value| query.bind(*value));
                query.execute(semaphore.pool()).await?.rows_affected()
            }
            Self::MySql(semaphore) => {
                let query = values.iter().fold(query(sql), |query, value| query.bind(*value));
                query.execute(semaphore.pool()).await?.rows_affected()
            }
        })
    }

    async fn acquire(&self) -> Result<Permit, Box<dyn Error>> {
        let semaphore: &dyn Semaphore = match self {
            Self::Sqlite(semaphore) => semaphore,
            Self::Postgres(semaphore) => semaphore,
            Self::MySql(semaphore) => semaphore,
        };
        let request = PermitRequest::new("stock", max(1), lease(LEASE));
        Ok(semaphore.acquire(request, LEASE * 10).await?.ok_or("the key was held all the time")?)
    }
}

/// Shows the pattern on the database at `url`, and says which of three writes were taken: the first holder's, its
/// successor's, and the first holder's once more.
pub(crate) async fn show(url: &str) -> Result<[bool; 3], Box<dyn Error>> {
    let prefix = format!("f{}_", &uuid::Uuid::new_v4().simple().to_string()[..12]);
    let row = Row::open(url, &prefix).await?;

    let first = row.acquire().await?;
    let stale = first.fencing_token();
    let taken = row.write(&prefix, 10, stale).await?;
    println!("the first holder, fencing token {stale}, writes 10: {taken}");

    // The first holder is frozen, say: it renews no longer, and does not know that time goes by.
    drop(first);
    let second = row.acquire().await?;
    let fence = second.fencing_token();
    let overtaken = row.write(&prefix, 20, fence).await?;
    println!("its lease ran out; the second holder, fencing token {fence}, writes 20: {overtaken}");

    let late = row.write(&prefix, 11, stale).await?;
    println!("the first one wakes and writes 11: {late}");
    second.release().await?;
    for table in ["stock", "slot", "floor", "ledger"] {
        row.run(format!("DROP TABLE {prefix}{table}"), &[]).await?;
    }
    Ok([taken, overtaken, late])
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = format!("sqlite:{}", folder.path().join("fenced.db").display());
    show(&env::args().nth(1).unwrap_or(file)).await?;
    Ok(())
}
