//! The tables: made and brought up to date under a lock, in one transaction.

use queue_core::QueueError;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Row};

use super::PgStore;
use super::mode::begin;
use crate::call::call;
use crate::sql::schema::{Migration, check_version, with_prefix};

const MIGRATIONS: [Migration; 1] =
    [Migration { version: 1, sql: include_str!("../../../migrations/postgres/0001_queue.sql") }];

impl PgStore {
    /// Applies what is missing. Others that do the same at the same time wait for it.
    pub(super) async fn migrate_all(&self) -> Result<(), QueueError> {
        let found = call!(self, "migrate", connection => migrate(connection, &self.prefix))?;
        check_version(found, &MIGRATIONS)
    }
}

/// Answers the version that was found.
async fn migrate(connection: &mut PgConnection, prefix: &str) -> Result<i64, sqlx::Error> {
    let mut transaction = begin(connection).await?;
    let lock = sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(lock_of(prefix)).persistent(false);
    lock.execute(&mut *transaction).await?;
    let found = version(&mut transaction, prefix).await?;
    for migration in MIGRATIONS.iter().filter(|migration| migration.version > found) {
        for statement in migration.statements(prefix) {
            sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut *transaction).await?;
        }
    }
    transaction.commit().await?;
    Ok(found)
}

async fn version(connection: &mut PgConnection, prefix: &str) -> Result<i64, sqlx::Error> {
    let ledger = sqlx::query("SELECT to_regclass($1) IS NOT NULL").bind(format!("{prefix}migration"));
    if !ledger.persistent(false).fetch_one(&mut *connection).await?.try_get::<bool, _>(0)? {
        return Ok(0);
    }
    let latest = with_prefix("SELECT COALESCE(max(version), 0) FROM q_migration", prefix);
    sqlx::query(AssertSqlSafe(latest)).persistent(false).fetch_one(connection).await?.try_get(0)
}

/// The advisory lock of the tables with this prefix: FNV-1a of a name that is ours.
fn lock_of(prefix: &str) -> i64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in b"queue-sql migrations of ".iter().chain(prefix.as_bytes()) {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash.cast_signed()
}
