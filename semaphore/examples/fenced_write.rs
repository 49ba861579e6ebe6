//! A fenced write: a row that a permit protects refuses a holder whose lease has run out, on each database.
//!
//! ```sh
//! cargo run -p semaphore --example fenced_write --features sqlite
//! cargo run -p semaphore --example fenced_write --features sqlite,postgres -- postgres://localhost/app
//! cargo run -p semaphore --example fenced_write --features sqlite,mysql -- mysql://localhost/app
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
    Dialect, FencingToken, Permit, PermitRequest, Semaphore, SemaphoreExt, SqlSemaphore, SqliteSemaphore,
    lease, max,
};
use sqlx::{AssertSqlSafe, SqlitePool, query, query_as};

const LEASE: Duration = Duration::from_secs(1);

/// The statement of the fenced write.
const WRITE: &str = "UPDATE {}stock SET pieces = ?, fence = ? WHERE id = 1 AND fence <= ?";

/// A row in the database that holds the semaphore, too.
struct Row {
    semaphore: Box<dyn Semaphore>,
    pool: Pool,
    prefix: String,
}

enum Pool {
    Sqlite(SqlitePool),
    #[cfg(feature = "postgres")]
    Postgres(sqlx::PgPool),
    #[cfg(feature = "mysql")]
    MySql(sqlx::MySqlPool),
}

/// Does the same with each kind of pool.
macro_rules! with_pool {
    ($row:expr, $pool:ident => $work:expr) => {
        match &$row.pool {
            Pool::Sqlite($pool) => $work,
            #[cfg(feature = "postgres")]
            Pool::Postgres($pool) => $work,
            #[cfg(feature = "mysql")]
            Pool::MySql($pool) => $work,
        }
    };
}

impl Row {
    async fn open(url: &str, prefix: String) -> Result<Self, Box<dyn Error>> {
        let (semaphore, pool) = connect(url, &prefix).await?;
        let row = Self { semaphore, pool, prefix };
        row.run(
            "CREATE TABLE {}stock (id int PRIMARY KEY, pieces bigint NOT NULL, fence bigint NOT NULL)",
            &[],
        )
        .await?;
        row.run("INSERT INTO {}stock (id, pieces, fence) VALUES (1, 0, 0)", &[]).await?;
        Ok(row)
    }

    /// Writes under a permit. `false`: a later holder has written already.
    async fn write(&self, pieces: i64, fence: FencingToken) -> Result<bool, Box<dyn Error>> {
        let fence = i64::try_from(fence.get())?;
        let found = self.run(WRITE, &[pieces, fence, fence]).await?;
        Ok(found == 1)
    }

    /// The pieces, and the fencing token of the last write.
    async fn read(&self) -> Result<(i64, i64), Box<dyn Error>> {
        let sql = AssertSqlSafe(format!("SELECT pieces, fence FROM {}stock WHERE id = 1", self.prefix));
        Ok(with_pool!(self, pool => query_as(sql).fetch_one(pool).await?))
    }

    /// What became of a write, in words.
    async fn outcome(&self, stored: bool) -> Result<String, Box<dyn Error>> {
        let (_, fence) = self.read().await?;
        Ok(if stored { "stored".to_owned() } else { format!("refused: the row has number {fence} already") })
    }

    /// Runs a statement and says how many rows it found.
    async fn run(&self, sql: &str, values: &[i64]) -> Result<u64, Box<dyn Error>> {
        let sql = AssertSqlSafe(self.worded(sql));
        Ok(with_pool!(self, pool => {
            let query = values.iter().fold(query(sql), |query, value| query.bind(*value));
            query.execute(pool).await?.rows_affected()
        }))
    }

    /// With the names of this program's tables, and with the placeholders of the database.
    fn worded(&self, sql: &str) -> String {
        let sql = sql.replace("{}", &self.prefix);
        #[cfg(feature = "postgres")]
        if matches!(self.pool, Pool::Postgres(_)) {
            return (1..=3).fold(sql, |sql, number| sql.replacen('?', &format!("${number}"), 1));
        }
        sql
    }

    async fn acquire(&self) -> Result<Permit, Box<dyn Error>> {
        let request = PermitRequest::new("stock", max(1), lease(LEASE));
        Ok(self.semaphore.acquire(request, LEASE * 10).await?.ok_or("the key was held all the time")?)
    }
}

/// The semaphore at `url`, with its tables, and its pool.
async fn connect(url: &str, prefix: &str) -> Result<(Box<dyn Semaphore>, Pool), Box<dyn Error>> {
    let (scheme, path) = url.split_once(':').unwrap_or_default();
    Ok(match scheme {
        "sqlite" => {
            let semaphore = SqliteSemaphore::open(path).await?;
            let pool = Pool::Sqlite(semaphore.pool().clone());
            (with_tables(semaphore, prefix).await?, pool)
        }
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" => {
            let pool = sqlx::PgPool::connect(url).await?;
            (with_tables(semaphore::PgSemaphore::new(pool.clone()), prefix).await?, Pool::Postgres(pool))
        }
        #[cfg(feature = "mysql")]
        "mysql" | "mariadb" => {
            let pool = sqlx::MySqlPool::connect(url).await?;
            (with_tables(semaphore::MySqlSemaphore::new(pool.clone()), prefix).await?, Pool::MySql(pool))
        }
        other => return Err(not_built_in(other).into()),
    })
}

async fn with_tables<D: Dialect>(
    semaphore: SqlSemaphore<D>,
    prefix: &str,
) -> Result<Box<dyn Semaphore>, Box<dyn Error>> {
    let semaphore = semaphore.with_prefix(prefix);
    semaphore.migrate().await?;
    Ok(Box::new(semaphore))
}

/// Why a URL can't be used.
fn not_built_in(scheme: &str) -> &'static str {
    match scheme {
        "postgres" | "postgresql" => "built without PostgreSQL: add --features sqlite,postgres",
        "mysql" | "mariadb" => "built without MySQL and MariaDB: add --features sqlite,mysql",
        _ => "the URL has to begin with sqlite:, postgres: or mysql:",
    }
}

/// Shows the pattern on the database at `url`, and says which of three writes were taken: the first holder's, its
/// successor's, and the first holder's once more.
pub(crate) async fn show(url: &str) -> Result<[bool; 3], Box<dyn Error>> {
    let prefix = format!("f{}_", &uuid::Uuid::new_v4().simple().to_string()[..12]);
    let row = Row::open(url, prefix).await?;

    let first = row.acquire().await?;
    let stale = first.fencing_token();
    let taken = row.write(10, stale).await?;
    println!("the first holder, with number {stale}, writes 10: {}", row.outcome(taken).await?);

    // The first holder is frozen, say: it renews no longer, and does not know that time goes by.
    drop(first);
    let second = row.acquire().await?;
    let fence = second.fencing_token();
    let overtaken = row.write(20, fence).await?;
    println!(
        "its lease ran out; the second, with number {fence}, writes 20: {}",
        row.outcome(overtaken).await?
    );

    let late = row.write(11, stale).await?;
    println!("the first one wakes and, with number {stale}, writes 11: {}", row.outcome(late).await?);
    second.release().await?;
    let (pieces, fence) = row.read().await?;
    println!("in the end the row has the value {pieces} and the number {fence}");
    for table in ["stock", "slot", "floor", "ledger"] {
        row.run(&format!("DROP TABLE {{}}{table}"), &[]).await?;
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
