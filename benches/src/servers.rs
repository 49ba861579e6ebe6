//! The database servers that a measurement needs, by their variables.

use std::env;
use std::str::FromStr;

use sqlx::mysql::MySqlConnectOptions;
use sqlx::postgres::PgConnectOptions;

/// What is said of a figure where the server is missing.
pub const POSTGRES: &str = "needs POSTGRES_URL";
/// What is said of a figure where the server is missing.
pub const MYSQL: &str = "needs MYSQL_URL";

/// How to connect to the PostgreSQL server of `POSTGRES_URL`.
pub fn postgres() -> Option<PgConnectOptions> {
    read("POSTGRES_URL")
}

/// How to connect to the MySQL or MariaDB server of `MYSQL_URL`.
pub fn mysql() -> Option<MySqlConnectOptions> {
    read("MYSQL_URL")
}

#[expect(clippy::expect_used, reason = "a measurement that can't start has nothing to say")]
fn read<T: FromStr<Err = sqlx::Error>>(variable: &str) -> Option<T> {
    let url = env::var(variable).ok()?;
    Some(url.parse().expect("the URL of a server can be read"))
}
