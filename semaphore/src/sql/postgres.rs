//! A semaphore in `PostgreSQL`.

mod text;

use sqlx::error::DatabaseError;
use sqlx::postgres::{PgArguments, PgConnection};
use sqlx::query::Query;
use sqlx::{Executor, Postgres, Row, raw_sql};

use super::SqlSemaphore;
use super::ask::{Acquire, Attempt, Collect, Freed, Grow, Held, Renew};
use super::dialect::{Dialect, Step};
use super::fault::Fault;
use super::schema::{Version, statements};
use super::text::{Text, ours};
use crate::{PermitToken, SemaphoreKey};

/// A semaphore in `PostgreSQL`, 12 or later.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
/// use semaphore::{PermitRequest, PgSemaphore, Semaphore, lease, max};
///
/// let pool = sqlx::PgPool::connect("postgres://localhost/app").await?;
/// let semaphore = PgSemaphore::new(pool);
/// semaphore.migrate().await?;
/// let request = PermitRequest::new("search-index", max(8), lease(Duration::from_secs(60)));
/// if let Some(permit) = semaphore.try_acquire(request).await? {
///     permit.release().await?;
/// }
/// # Ok(())
/// # }
/// ```
///
/// Statements run at the pool's default isolation level. Where that is `REPEATABLE READ` or `SERIALIZABLE` and one is
/// refused for it, it is run again in a transaction of its own at `READ COMMITTED`, which costs two more round trips.
///
/// A transaction that is left open for long (`idle in transaction`, a dump) keeps old versions of the slots' rows from being
/// removed and makes every call slower until it ends.
pub type PgSemaphore = SqlSemaphore<Postgres>;

impl PgSemaphore {
    /// Uses no named prepared statements, for a transaction-pooling proxy that doesn't track them: `PgBouncer` before
    /// 1.21, or a later one without `max_prepared_statements`.
    ///
    /// Each call is then a transaction of its own, so that all its messages reach one server connection: five round
    /// trips instead of one.
    #[must_use]
    pub fn without_prepared_statements(self) -> Self {
        self.prepared(false)
    }
}

fn query<'c>(text: &Text, sql: &std::sync::Arc<str>) -> Query<'c, Postgres, PgArguments> {
    sqlx::query(ours(sql)).persistent(text.prepared)
}

impl Dialect for Postgres {
    const TEXT: Text<&'static str> = text::TEXT;
    const MIGRATIONS: &'static [(Version, &'static str)] =
        &[(1, include_str!("../../migrations/postgres/0001_slots.sql"))];

    fn acquire<'c>(conn: &'c mut PgConnection, text: &'c Text, ask: &'c Acquire) -> Step<'c, Attempt> {
        let taking = query(text, &text.acquire)
            .bind(ask.key.as_str())
            .bind(i32::from(ask.max))
            .bind(ask.token)
            .bind(ask.context.as_deref())
            .bind(ask.lease_us);
        Box::pin(async move {
            let (mut there, mut held) = (0, 0);
            for row in taking.fetch_all(conn).await? {
                if let (Some(slot), Some(fence)) = (row.try_get::<Option<i32>, _>(0)?, row.try_get(1)?) {
                    return Ok(Attempt::Hit { slot: narrow(slot)?, fence: unsigned(fence)? });
                }
                (there, held) = (row.try_get::<i64, _>(2)?, row.try_get::<i64, _>(3)?);
            }
            let max = i64::from(ask.max);
            Ok(if held >= max {
                Attempt::Full
            } else if there < max {
                Attempt::Missing(narrow(there)?)
            } else {
                Attempt::Contended
            })
        })
    }

    fn grow<'c>(conn: &'c mut PgConnection, text: &'c Text, ask: &'c Grow) -> Step<'c, ()> {
        let making =
            query(text, &text.grow).bind(ask.key.as_str()).bind(i32::from(ask.from)).bind(i32::from(ask.to));
        Box::pin(async move { making.execute(conn).await.map(drop) })
    }

    fn renew<'c>(conn: &'c mut PgConnection, text: &'c Text, ask: &'c Renew) -> Step<'c, bool> {
        let renewing = query(text, &text.renew)
            .bind(ask.token.key().as_str())
            .bind(i32::from(ask.token.slot()))
            .bind(ask.token.id())
            .bind(ask.lease_us)
            .bind(ask.context.as_deref());
        Box::pin(async move { Ok(renewing.execute(conn).await?.rows_affected() > 0) })
    }

    fn release<'c>(conn: &'c mut PgConnection, text: &'c Text, ask: &'c PermitToken) -> Step<'c, Freed> {
        let releasing =
            query(text, &text.release).bind(ask.key().as_str()).bind(i32::from(ask.slot())).bind(ask.id());
        Box::pin(async move {
            let Some(row) = releasing.fetch_optional(conn).await? else { return Ok(Freed::Stale) };
            Ok(if row.try_get(0)? { Freed::InTime } else { Freed::Late })
        })
    }

    fn release_all<'c>(conn: &'c mut PgConnection, text: &'c Text, ask: &'c SemaphoreKey) -> Step<'c, u64> {
        let releasing = query(text, &text.release_all).bind(ask.as_str());
        Box::pin(async move { Ok(releasing.execute(conn).await?.rows_affected()) })
    }

    fn holders<'c>(
        conn: &'c mut PgConnection,
        text: &'c Text,
        ask: &'c [SemaphoreKey],
    ) -> Step<'c, Vec<Held>> {
        let keys: Vec<_> = ask.iter().map(SemaphoreKey::as_str).collect();
        let listing = query(text, &text.holders).bind(keys);
        Box::pin(async move {
            let rows = listing.fetch_all(conn).await?;
            rows.iter()
                .map(|row| {
                    Ok(Held {
                        key: row.try_get(0)?,
                        slot: narrow(row.try_get::<i32, _>(1)?)?,
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

    fn raise<'c>(conn: &'c mut PgConnection, text: &'c Text, ask: &'c Collect) -> Step<'c, ()> {
        let raising = query(text, &text.raise).bind(ask.idle_us);
        Box::pin(async move { raising.execute(conn).await.map(drop) })
    }

    fn collect<'c>(conn: &'c mut PgConnection, text: &'c Text, ask: &'c Collect) -> Step<'c, u64> {
        let removing = query(text, &text.collect).bind(ask.idle_us).bind(ask.limit);
        Box::pin(async move { Ok(removing.execute(conn).await?.rows_affected()) })
    }

    fn migrate<'c>(
        conn: &'c mut PgConnection,
        text: &'c Text,
        ask: &'c [(Version, String)],
    ) -> Step<'c, Version> {
        Box::pin(async move {
            Self::begin(conn).await?;
            for statement in statements(&text.ledger) {
                raw_sql(sqlx::AssertSqlSafe(statement)).execute(&mut *conn).await?;
            }
            let found = raw_sql(ours(&text.version)).fetch_one(&mut *conn).await?.try_get(0)?;
            for (version, migration) in ask.iter().filter(|(version, _)| *version > found) {
                raw_sql(sqlx::AssertSqlSafe(migration.as_str())).execute(&mut *conn).await?;
                query(text, &text.note).bind(version).execute(&mut *conn).await?;
            }
            Self::commit(conn).await?;
            Ok(found)
        })
    }

    fn begin(conn: &mut PgConnection) -> Step<'_, ()> {
        Box::pin(async move { conn.execute("BEGIN ISOLATION LEVEL READ COMMITTED").await.map(drop) })
    }

    fn commit(conn: &mut PgConnection) -> Step<'_, ()> {
        Box::pin(async move { conn.execute("COMMIT").await.map(drop) })
    }

    fn judge(error: &dyn DatabaseError) -> Fault {
        judge(&error.code().unwrap_or_default())
    }
}

/// Judges by the SQLSTATE: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
fn judge(code: &str) -> Fault {
    match code {
        "40001" | "40P01" => Fault::AGAIN,
        "42P01" | "42703" | "3F000" => Fault::NO_TABLES,
        "25006" => Fault::READ_ONLY,
        "28000" | "28P01" => Fault::CREDENTIALS,
        "55P03" | "57014" | "57P03" | "55006" => Fault::TRANSIENT,
        "57P01" | "57P02" | "57P05" | "40003" => Fault::CUT_OFF,
        // A failed commit is a rollback (40002), a failed connection may not be one (08); 53 and 58: short of resources.
        _ => match code.get(..2) {
            Some("08") => Fault::CUT_OFF,
            Some("40" | "53" | "58") => Fault::TRANSIENT,
            _ => Fault::PERMANENT,
        },
    }
}

fn narrow<N: TryInto<u16>>(number: N) -> Result<u16, sqlx::Error> {
    number.try_into().map_err(|_| sqlx::Error::Decode("a number of slots is out of range".into()))
}

fn unsigned(number: i64) -> Result<u64, sqlx::Error> {
    number.try_into().map_err(|_| sqlx::Error::Decode("a fencing number is negative".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_has_its_meaning() {
        let table = [
            ("40001", Fault::AGAIN),     // serialization failure
            ("40P01", Fault::AGAIN),     // deadlock
            ("40003", Fault::CUT_OFF),   // completion unknown
            ("55P03", Fault::TRANSIENT), // lock not available
            ("57014", Fault::TRANSIENT), // statement timeout
            ("57P01", Fault::CUT_OFF),   // shut down by the administrator
            ("57P02", Fault::CUT_OFF),   // crashed
            ("57P03", Fault::TRANSIENT), // starting up
            ("53300", Fault::TRANSIENT), // too many connections
            ("53100", Fault::TRANSIENT), // disk full
            ("08006", Fault::CUT_OFF),   // connection failure
            ("25006", Fault::READ_ONLY),
            ("28P01", Fault::CREDENTIALS),
            ("28000", Fault::CREDENTIALS),
            ("42P01", Fault::NO_TABLES),
            ("42703", Fault::NO_TABLES),
            ("42501", Fault::PERMANENT), // no privilege
            ("3D000", Fault::PERMANENT), // unknown database
            ("XX000", Fault::PERMANENT),
            ("", Fault::PERMANENT),
        ];
        for (code, fault) in table {
            assert_eq!(judge(code), fault, "{code}");
        }
    }
}
