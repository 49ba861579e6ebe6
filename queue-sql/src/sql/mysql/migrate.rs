//! The tables: made and brought up to date by statements that do nothing the second time.

use queue_core::QueueError;
use sqlx::{AssertSqlSafe, MySqlConnection, Row};

use super::MySqlStore;
use super::errors::is_missing_table;
use crate::call::call;
use crate::sql::schema::{Migration, check_version, with_prefix};

const MIGRATIONS: [Migration; 1] =
    [Migration { version: 1, sql: include_str!("../../../migrations/mysql/0001_queue.sql") }];

/// The first versions with all that is used here: `SKIP LOCKED` and `JSON_TABLE`.
const OLDEST_MARIADB: [u32; 3] = [10, 6, 0];
const OLDEST_MYSQL: [u32; 3] = [8, 0, 4];

impl MySqlStore {
    /// Applies what is missing. Tables are made outside transactions here, so each step can be repeated, also by others at
    /// the same time, and the ledger is written last.
    pub(super) async fn migrate_all(&self) -> Result<(), QueueError> {
        let version = call!(self, "migrate", connection => server(connection))?;
        check_server(&version)?;
        let found = call!(self, "migrate", connection => found(connection, &self.prefix))?;
        check_version(found, &MIGRATIONS)?;
        for migration in MIGRATIONS.iter().filter(|migration| migration.version > found) {
            for statement in migration.statements(&self.prefix) {
                call!(self, "migrate", connection => run(connection, statement.clone()))?;
            }
        }
        Ok(())
    }
}

async fn server(connection: &mut MySqlConnection) -> Result<String, sqlx::Error> {
    sqlx::query("SELECT VERSION()").persistent(false).fetch_one(connection).await?.try_get(0)
}

/// The version of the tables; zero if there are none.
async fn found(connection: &mut MySqlConnection, prefix: &str) -> Result<i64, sqlx::Error> {
    let latest = with_prefix("SELECT COALESCE(MAX(version), 0) FROM q_migration", prefix);
    match sqlx::query(AssertSqlSafe(latest)).persistent(false).fetch_one(connection).await {
        Ok(row) => row.try_get(0),
        Err(error) if is_missing_table(&error) => Ok(0),
        Err(error) => Err(error),
    }
}

async fn run(connection: &mut MySqlConnection, statement: String) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(connection).await?;
    Ok(())
}

/// Refuses a server that lacks what the statements need.
fn check_server(version: &str) -> Result<(), QueueError> {
    let (name, oldest) =
        if version.contains("MariaDB") { ("MariaDB", OLDEST_MARIADB) } else { ("MySQL", OLDEST_MYSQL) };
    if numbers(version) >= oldest {
        return Ok(());
    }
    let [major, minor, patch] = oldest;
    Err(QueueError::permanent(format!(
        "the server is {name} {version}; queues need {major}.{minor}.{patch} or later, for SKIP LOCKED and JSON_TABLE"
    )))
}

/// The first three numbers of a version.
fn numbers(version: &str) -> [u32; 3] {
    let mut parts = version.split(|c: char| !c.is_ascii_digit());
    [(); 3].map(|()| parts.next().and_then(|part| part.parse().ok()).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    // P73
    #[test]
    fn a_server_without_skip_locked_is_refused_by_name() {
        for good in
            ["10.6.0-MariaDB", "10.11.14-MariaDB-0+deb12u2", "11.4.2-MariaDB-log", "8.0.4-rc", "8.4.0", "9.1"]
        {
            assert!(check_server(good).is_ok(), "{good}");
        }
        for bad in ["10.5.29-MariaDB", "10.2.0-MariaDB", "5.7.44-log", "8.0.3-rc", ""] {
            let error = check_server(bad).unwrap_err().to_string();
            assert!(error.contains(bad) && error.contains("or later"), "{error}");
        }
    }
}
