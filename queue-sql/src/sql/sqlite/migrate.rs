//! Making the tables, and bringing them up to date.

use async_trait::async_trait;
use queue_core::QueueError;
use sqlx::{AssertSqlSafe, Row, SqliteConnection};

use super::SqliteStore;
use super::errors::is_without_tables;
use super::operation::{On, Operation};
use super::statements::Statements;
use crate::sql::schema::{Migration, check_version};

/// The steps of the schema.
const MIGRATIONS: [Migration; 1] =
    [Migration { version: 1, sql: include_str!("../../../migrations/sqlite/0001_queue.sql") }];

/// Applies what is missing, all of it in one transaction: whoever comes second finds it done.
pub(super) async fn migrate(store: &SqliteStore) -> Result<(), QueueError> {
    let version = store.read(Version).await?;
    check_version(version, &MIGRATIONS)?;
    if MIGRATIONS.iter().all(|migration| migration.version <= version) {
        return Ok(());
    }
    store.write(Apply { prefix: store.prefix.clone() }).await
}

/// Reads of which version the tables are; 0 without tables.
#[derive(Debug)]
struct Version;

#[async_trait]
impl Operation for Version {
    type Answer = i64;

    const WHAT: &'static str = "read the version of the tables";

    fn is_single(&self) -> bool {
        true
    }

    async fn run(&self, on: On<'_>) -> Result<i64, sqlx::Error> {
        version(on.connection, on.statements).await
    }
}

async fn version(connection: &mut SqliteConnection, statements: &Statements) -> Result<i64, sqlx::Error> {
    match statements.shared.version.query().fetch_all(connection).await {
        Ok(rows) => rows.first().map_or(Ok(0), |row| row.try_get(0)),
        Err(error) if is_without_tables(&error) => Ok(0),
        Err(error) => Err(error),
    }
}

/// Applies what is missing.
#[derive(Debug)]
struct Apply {
    prefix: String,
}

#[async_trait]
impl Operation for Apply {
    type Answer = ();

    const WHAT: &'static str = "migrate";

    async fn run(&self, on: On<'_>) -> Result<(), sqlx::Error> {
        let version = version(on.connection, on.statements).await?;
        for migration in MIGRATIONS.iter().filter(|migration| migration.version > version) {
            for statement in migration.statements(&self.prefix) {
                let query = sqlx::query(AssertSqlSafe(statement)).persistent(false);
                query.execute(&mut *on.connection).await?;
            }
        }
        Ok(())
    }
}
