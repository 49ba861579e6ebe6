//! A semaphore in `SQLite`.

mod open;
mod text;

use sqlx::error::DatabaseError;
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteConnection};
use sqlx::{Connection, Row, Sqlite};

use super::SqlSemaphore;
use super::ask::{Acquire, Attempt, Collect, Freed, Grow, Held, Renew};
use super::dialect::{Dialect, Step};
use super::fault::Fault;
use super::schema::{Version, statements};
use super::text::{Text, ours};
use crate::{PermitToken, SemaphoreKey};

/// A semaphore in a `SQLite` file, 3.42 or later, shared by the processes of one machine.
///
/// `SQLite` has one writer at a time: a call waits for the others' writes, for as long as the pool's `busy_timeout` says and
/// again until its deadline. Its clock counts in milliseconds.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use std::time::Duration;
/// use semaphore::{PermitRequest, Semaphore, SqliteSemaphore, lease, max};
///
/// let semaphore = SqliteSemaphore::in_memory().await?;
/// let request = || PermitRequest::new("search-index", max(1), lease(Duration::from_secs(60)));
/// let permit = semaphore.try_acquire(request()).await?.expect("nobody holds it");
/// assert!(semaphore.try_acquire(request()).await?.is_none());
/// permit.release().await?;
/// # Ok::<(), semaphore::SemaphoreError>(())
/// # }).unwrap();
/// ```
pub type SqliteSemaphore = SqlSemaphore<Sqlite>;

fn query<'c>(sql: &std::sync::Arc<str>) -> Query<'c, Sqlite, SqliteArguments> {
    sqlx::query(ours(sql))
}

impl Dialect for Sqlite {
    const TEXT: Text<&'static str> = text::TEXT;
    const MIGRATIONS: &'static [(Version, &'static str)] =
        &[(1, include_str!("../../migrations/sqlite/0001_slots.sql"))];
    const SOUND_WHEN_DROPPED: bool = true;

    fn acquire<'c>(conn: &'c mut SqliteConnection, text: &'c Text, ask: &'c Acquire) -> Step<'c, Attempt> {
        let taking = query(&text.acquire)
            .bind(ask.key.as_str())
            .bind(i64::from(ask.max))
            .bind(ask.token)
            .bind(ask.context.as_deref())
            .bind(ask.lease_us);
        Box::pin(async move {
            // All rows are fetched, so that the statement has committed when it answers.
            let rows = taking.fetch_all(conn).await?;
            let Some(row) = rows.first() else { return Ok(Attempt::Full) };
            Ok(Attempt::Hit { slot: row.try_get(0)?, fence: unsigned(row.try_get(1)?)? })
        })
    }

    /// Nothing: the statement that takes a slot makes it, as there is only one writer.
    fn grow<'c>(_conn: &'c mut SqliteConnection, _text: &'c Text, _ask: &'c Grow) -> Step<'c, ()> {
        Box::pin(async { Ok(()) })
    }

    fn renew<'c>(conn: &'c mut SqliteConnection, text: &'c Text, ask: &'c Renew) -> Step<'c, bool> {
        let renewing = query(&text.renew)
            .bind(ask.token.key().as_str())
            .bind(i64::from(ask.token.slot()))
            .bind(ask.token.id())
            .bind(ask.lease_us)
            .bind(ask.context.as_deref());
        Box::pin(async move { Ok(renewing.execute(conn).await?.rows_affected() > 0) })
    }

    fn release<'c>(conn: &'c mut SqliteConnection, text: &'c Text, ask: &'c PermitToken) -> Step<'c, Freed> {
        let releasing =
            query(&text.release).bind(ask.key().as_str()).bind(i64::from(ask.slot())).bind(ask.id());
        Box::pin(async move {
            let rows = releasing.fetch_all(conn).await?;
            let Some(row) = rows.first() else { return Ok(Freed::Stale) };
            Ok(if row.try_get(0)? { Freed::InTime } else { Freed::Late })
        })
    }

    fn release_all<'c>(
        conn: &'c mut SqliteConnection,
        text: &'c Text,
        ask: &'c SemaphoreKey,
    ) -> Step<'c, u64> {
        let releasing = query(&text.release_all).bind(ask.as_str());
        Box::pin(async move { Ok(releasing.execute(conn).await?.rows_affected()) })
    }

    fn holders<'c>(
        conn: &'c mut SqliteConnection,
        text: &'c Text,
        ask: &'c [SemaphoreKey],
    ) -> Step<'c, Vec<Held>> {
        let listing = query(&text.holders).bind(array(ask));
        Box::pin(async move {
            let rows = listing.fetch_all(conn).await?;
            rows.iter()
                .map(|row| {
                    Ok(Held {
                        key: row.try_get(0)?,
                        slot: row.try_get(1)?,
                        token: row.try_get(2)?,
                        context: row.try_get(3)?,
                        fence: unsigned(row.try_get(4)?)?,
                        since_us: row.try_get(5)?,
                        until_us: row.try_get(6)?,
                        remaining_us: row.try_get(7)?,
                    })
                })
                .collect()
        })
    }

    fn raise<'c>(conn: &'c mut SqliteConnection, text: &'c Text, ask: &'c Collect) -> Step<'c, ()> {
        let raising = query(&text.raise).bind(ask.idle_us);
        Box::pin(async move { raising.execute(conn).await.map(drop) })
    }

    fn collect<'c>(conn: &'c mut SqliteConnection, text: &'c Text, ask: &'c Collect) -> Step<'c, u64> {
        let removing = query(&text.collect).bind(ask.idle_us).bind(ask.limit);
        Box::pin(async move { Ok(removing.execute(conn).await?.rows_affected()) })
    }

    fn migrate<'c>(
        conn: &'c mut SqliteConnection,
        text: &'c Text,
        ask: &'c [(Version, String)],
    ) -> Step<'c, Version> {
        Box::pin(async move {
            // Dropped, it rolls back.
            let mut tx = conn.begin_with("BEGIN IMMEDIATE").await?;
            query(&text.ledger).execute(&mut *tx).await?;
            let found = query(&text.version).fetch_one(&mut *tx).await?.try_get(0)?;
            for (version, migration) in ask.iter().filter(|(version, _)| *version > found) {
                for statement in statements(migration) {
                    sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&mut *tx).await?;
                }
                query(&text.note).bind(version).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(found)
        })
    }

    fn judge(error: &dyn DatabaseError) -> Fault {
        judge(error.code().and_then(|code| code.parse().ok()).unwrap_or(0), error.message())
    }
}

/// Judges by the extended result code: <https://www.sqlite.org/rescode.html>. Its low byte is the primary one.
fn judge(code: i32, message: &str) -> Fault {
    match code & 0xff {
        1 if message.contains("no such table") || message.contains("no such column") => Fault::NO_TABLES,
        5 | 6 => Fault::AGAIN,          // BUSY, LOCKED
        7 | 9 | 13 => Fault::TRANSIENT, // NOMEM, INTERRUPT, FULL
        10 => Fault::CUT_OFF,           // IOERR: it may have come after the commit
        _ => Fault::PERMANENT, // READONLY, CANTOPEN and CORRUPT among them: somebody must see to the file
    }
}

/// The keys as a JSON array. Of what they may be made of, only two characters need an escape.
fn array(keys: &[SemaphoreKey]) -> String {
    let quoted = |key: &SemaphoreKey| key.as_str().replace('\\', r"\\").replace('"', r#"\""#);
    let keys: Vec<_> = keys.iter().map(|key| format!("\"{}\"", quoted(key))).collect();
    format!("[{}]", keys.join(","))
}

fn unsigned(number: i64) -> Result<u64, sqlx::Error> {
    number.try_into().map_err(|_| sqlx::Error::Decode("a fencing number is negative".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_has_its_meaning() {
        let table = [
            (5, Fault::AGAIN),      // BUSY
            (261, Fault::AGAIN),    // BUSY_RECOVERY
            (517, Fault::AGAIN),    // BUSY_SNAPSHOT
            (6, Fault::AGAIN),      // LOCKED
            (262, Fault::AGAIN),    // LOCKED_SHAREDCACHE
            (9, Fault::TRANSIENT),  // INTERRUPT
            (13, Fault::TRANSIENT), // FULL
            (10, Fault::CUT_OFF),   // IOERR
            (4618, Fault::CUT_OFF), // IOERR_LOCK and its kin
            (8, Fault::PERMANENT),  // READONLY
            (14, Fault::PERMANENT), // CANTOPEN
            (11, Fault::PERMANENT), // CORRUPT
            (1, Fault::PERMANENT),
        ];
        for (code, fault) in table {
            assert_eq!(judge(code, ""), fault, "{code}");
        }
        assert_eq!(judge(1, "no such table: sem_slot"), Fault::NO_TABLES);
    }
}
