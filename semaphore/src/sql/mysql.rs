//! A semaphore in MySQL or `MariaDB`.

mod collect;
mod fault;
mod text;

use std::fmt::Write as _;

use sqlx::error::DatabaseError;
use sqlx::mysql::{MySqlArguments, MySqlConnection};
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, MySql, Row, raw_sql};

use super::SqlSemaphore;
use super::ask::{Acquire, Attempt, Collect, Freed, Grow, Held, Renew};
use super::dialect::{Dialect, Step};
use super::fault::Fault;
use super::schema::{Version, statements};
use super::text::{Text, ours};
use crate::{PermitToken, SemaphoreKey};

/// A semaphore in MySQL 8 or `MariaDB` 10.6, or later.
///
/// Statements run at the pool's default isolation level, whichever it is; deadlocks are met with another try.
/// With statement-based binary logs (`binlog_format=STATEMENT`), MySQL warns that what `UPDATE … LIMIT` does depends on the
/// order of rows: use `ROW` or `MIXED`, its default.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
/// use semaphore::{MySqlSemaphore, PermitRequest, Semaphore, lease, max};
///
/// let pool = sqlx::MySqlPool::connect("mysql://localhost/app").await?;
/// let semaphore = MySqlSemaphore::new(pool);
/// semaphore.migrate().await?;
/// let request = PermitRequest::new("search-index", max(8), lease(Duration::from_secs(60)));
/// if let Some(permit) = semaphore.try_acquire(request).await? {
///     permit.release().await?;
/// }
/// # Ok(())
/// # }
/// ```
pub type MySqlSemaphore = SqlSemaphore<MySql>;

/// Keys as hexadecimal literals, which need no quoting.
fn literals<'k>(keys: impl Iterator<Item = &'k [u8]>) -> String {
    let literal = |key: &[u8]| {
        key.iter().fold("0x".to_owned(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    };
    keys.map(literal).collect::<Vec<_>>().join(",")
}

fn query<'c>(sql: &std::sync::Arc<str>) -> Query<'c, MySql, MySqlArguments> {
    sqlx::query(ours(sql))
}

impl Dialect for MySql {
    const TEXT: Text<&'static str> = text::TEXT;
    const MIGRATIONS: &'static [(Version, &'static str)] =
        &[(1, include_str!("../../migrations/mysql/0001_slots.sql"))];
    /// The numbers come from a recursion, which servers end after 1,000 rounds by default.
    const GROWTH: u16 = 500;

    fn acquire<'c>(conn: &'c mut MySqlConnection, text: &'c Text, ask: &'c Acquire) -> Step<'c, Attempt> {
        let taking = query(&text.acquire)
            .bind(ask.token)
            .bind(ask.context.as_deref())
            .bind(ask.lease_us)
            .bind(ask.key.as_str().as_bytes())
            .bind(ask.max);
        Box::pin(async move {
            let done = taking.execute(conn).await?;
            let id = done.last_insert_id();
            let low = u16::try_from(id & 0xffff).unwrap_or(u16::MAX);
            Ok(if done.rows_affected() > 0 {
                Attempt::Hit { slot: low, fence: id >> 16 }
            } else if low < ask.max {
                Attempt::Missing(low)
            } else {
                Attempt::Full
            })
        })
    }

    fn grow<'c>(conn: &'c mut MySqlConnection, text: &'c Text, ask: &'c Grow) -> Step<'c, ()> {
        let making = query(&text.grow)
            .bind(i64::from(ask.from))
            .bind(i64::from(ask.to))
            .bind(ask.key.as_str().as_bytes());
        Box::pin(async move { making.execute(conn).await.map(drop) })
    }

    fn renew<'c>(conn: &'c mut MySqlConnection, text: &'c Text, ask: &'c Renew) -> Step<'c, bool> {
        let renewing = query(&text.renew)
            .bind(ask.lease_us)
            .bind(ask.context.as_deref())
            .bind(ask.token.key().as_str().as_bytes())
            .bind(ask.token.slot())
            .bind(ask.token.id());
        // sqlx asks for the number of rows found, not of rows changed.
        Box::pin(async move { Ok(renewing.execute(conn).await?.rows_affected() > 0) })
    }

    fn release<'c>(conn: &'c mut MySqlConnection, text: &'c Text, ask: &'c PermitToken) -> Step<'c, Freed> {
        let releasing =
            query(&text.release).bind(ask.key().as_str().as_bytes()).bind(ask.slot()).bind(ask.id());
        Box::pin(async move {
            let done = releasing.execute(conn).await?;
            Ok(match (done.rows_affected(), done.last_insert_id()) {
                (0, _) => Freed::Stale,
                (_, 0) => Freed::Late,
                _ => Freed::InTime,
            })
        })
    }

    fn release_all<'c>(
        conn: &'c mut MySqlConnection,
        text: &'c Text,
        ask: &'c SemaphoreKey,
    ) -> Step<'c, u64> {
        let releasing = query(&text.release_all).bind(ask.as_str().as_bytes());
        Box::pin(async move { Ok(releasing.execute(conn).await?.rows_affected()) })
    }

    fn holders<'c>(
        conn: &'c mut MySqlConnection,
        text: &'c Text,
        ask: &'c [SemaphoreKey],
    ) -> Step<'c, Vec<Held>> {
        let sql = text.holders.replace("{keys}", &literals(ask.iter().map(|key| key.as_str().as_bytes())));
        Box::pin(async move {
            let rows = raw_sql(AssertSqlSafe(sql)).fetch_all(conn).await?;
            rows.iter()
                .map(|row| {
                    Ok(Held {
                        key: String::from_utf8(row.try_get(0)?)
                            .map_err(|error| sqlx::Error::Decode(error.into()))?,
                        slot: row.try_get(1)?,
                        token: row.try_get(2)?,
                        context: row.try_get(3)?,
                        fence: row.try_get(4)?,
                        since_us: row.try_get(5)?,
                        until_us: row.try_get(6)?,
                        remaining_us: row.try_get(7)?,
                    })
                })
                .collect()
        })
    }

    fn collect<'c>(conn: &'c mut MySqlConnection, text: &'c Text, ask: &'c Collect) -> Step<'c, u64> {
        Box::pin(collect::collect(conn, text, ask))
    }

    /// Each statement commits by itself here, and each changes nothing if it was run before.
    fn migrate<'c>(
        conn: &'c mut MySqlConnection,
        text: &'c Text,
        ask: &'c [(Version, String)],
    ) -> Step<'c, Version> {
        Box::pin(async move {
            query(&text.ledger).execute(&mut *conn).await?;
            let found = query(&text.version).fetch_one(&mut *conn).await?.try_get(0)?;
            for (version, migration) in ask.iter().filter(|(version, _)| *version > found) {
                for statement in statements(migration) {
                    sqlx::query(AssertSqlSafe(statement)).execute(&mut *conn).await?;
                }
                query(&text.note).bind(version).execute(&mut *conn).await?;
            }
            Ok(found)
        })
    }

    fn judge(error: &dyn DatabaseError) -> Fault {
        fault::judge(error)
    }
}
