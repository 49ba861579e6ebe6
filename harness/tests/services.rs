//! The database servers that `cargo xtask test` provides: reached by their URLs, with a transaction that others see.

use std::env;

use sqlx::{AssertSqlSafe, Connection, Executor, MySqlConnection, PgConnection, Row};

/// The URL in a variable.
#[expect(clippy::panic, reason = "whoever asks for this test without its server is told what is missing")]
fn url(variable: &str) -> String {
    env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set; `cargo xtask test` sets it"))
}

/// A table name that no other run has.
fn table() -> String {
    format!("harness_{:016x}", fastrand::u64(..))
}

#[tokio::test(flavor = "current_thread")]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn what_is_committed_on_postgresql_is_seen_by_another_connection() -> sqlx::Result<()> {
    let (url, table) = (url("POSTGRES_URL"), table());
    let [mut writer, mut reader] = [PgConnection::connect(&url).await?, PgConnection::connect(&url).await?];
    writer.execute(AssertSqlSafe(format!("create table {table} (number bigint primary key)"))).await?;
    let mut transaction = writer.begin().await?;
    let insert = format!("insert into {table} values ($1)");
    sqlx::query(AssertSqlSafe(insert)).bind(7_i64).execute(&mut *transaction).await?;
    let count = format!("select count(*) from {table}");
    assert_eq!(reader.fetch_one(AssertSqlSafe(count.clone())).await?.get::<i64, _>(0), 0);
    transaction.commit().await?;
    assert_eq!(reader.fetch_one(AssertSqlSafe(count)).await?.get::<i64, _>(0), 1);
    writer.execute(AssertSqlSafe(format!("drop table {table}"))).await?;
    Ok(())
}

#[tokio::test(flavor = "current_thread")]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn what_is_committed_on_mariadb_is_seen_by_another_connection() -> sqlx::Result<()> {
    let (url, table) = (url("MYSQL_URL"), table());
    let [mut writer, mut reader] =
        [MySqlConnection::connect(&url).await?, MySqlConnection::connect(&url).await?];
    writer.execute(AssertSqlSafe(format!("create table {table} (number bigint primary key)"))).await?;
    let mut transaction = writer.begin().await?;
    let insert = format!("insert into {table} values (?)");
    sqlx::query(AssertSqlSafe(insert)).bind(7_i64).execute(&mut *transaction).await?;
    let count = format!("select count(*) from {table}");
    assert_eq!(reader.fetch_one(AssertSqlSafe(count.clone())).await?.get::<i64, _>(0), 0);
    transaction.commit().await?;
    assert_eq!(reader.fetch_one(AssertSqlSafe(count)).await?.get::<i64, _>(0), 1);
    writer.execute(AssertSqlSafe(format!("drop table {table}"))).await?;
    Ok(())
}
