//! Errors: what the server answers, as the caller hears it.

use std::time::Duration;

use queue_core::{Consumer, Outgoing, Publisher, QueueError, QueueErrorKind, ReceiveOptions};
use queue_sql::{MySqlDatabase, MySqlQueue};
use sqlx::ConnectOptions;
use sqlx::mysql::MySqlPoolOptions;

use crate::support::{Tables, pool, send, server, take};

async fn publish(queue: &MySqlQueue) -> QueueError {
    queue.publish(vec![Outgoing::new("x")]).await.remove(0).unwrap_err().into_error()
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn missing_tables_are_permanent_and_name_the_way_out() {
    let tables = Tables::none(1).await;
    let error = tables.database().queue("jobs").build().await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Permanent);
    assert!(error.to_string().contains("migrate"), "{error}");
    tables.drop().await;
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_server_that_takes_no_writes_is_passing() {
    let tables = Tables::make(1).await;
    tables.queue("jobs").await;
    let read_only = pool(1, Some("SET SESSION TRANSACTION READ ONLY")).await;
    let queue = tables.database_on(read_only).queue("jobs").build().await.unwrap();
    assert_eq!(publish(&queue).await.kind(), QueueErrorKind::Transient);
    tables.drop().await;
}

// P29
#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_statement_that_waits_for_a_lock_ends_by_the_deadline() {
    let tables = Tables::make(3).await;
    let name = tables.ordered("jobs.fifo").await.name().to_owned();
    let database = MySqlDatabase::builder(pool(2, Some("SET innodb_lock_wait_timeout = 1")).await);
    let database = database.prefix(tables.prefix.as_str()).deadline(Duration::from_millis(2_500));
    let queue = database.build().unwrap().queue(name).build().await.unwrap();
    send(&queue, &["a1"]).await;
    let mut other = tables.pool.begin().await.unwrap();
    let lock = format!("SELECT * FROM {}group FOR UPDATE", tables.prefix);
    sqlx::query(sqlx::AssertSqlSafe(lock)).fetch_all(&mut *other).await.unwrap();
    let begun = tokio::time::Instant::now();
    let message = crate::support::grouped("a2");
    let error = queue.publish(vec![message.clone()]).await.remove(0).unwrap_err().into_error();
    assert!(matches!(error.kind(), QueueErrorKind::Transient | QueueErrorKind::Indeterminate), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(5));
    other.rollback().await.unwrap();
    queue.publish(vec![message]).await.remove(0).map_err(queue_core::Rejected::into_error).unwrap();
    tables.drop().await;
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_killed_connection_is_replaced() {
    let tables = Tables::make(1).await;
    let queue = tables.queue("jobs").await;
    send(&queue, &["a"]).await;
    for _ in 0..5 {
        let id = tables.number("SELECT CAST(CONNECTION_ID() AS SIGNED)").await;
        let mut other = server().connect().await.unwrap();
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("KILL {id}"))).execute(&mut other).await.unwrap();
        let options = ReceiveOptions::new(1).with_wait(Duration::ZERO).with_visibility(Duration::ZERO);
        let outcome = queue.receive(options).await;
        let passes = outcome.as_ref().err().is_none_or(|error| {
            matches!(error.kind(), QueueErrorKind::Transient | QueueErrorKind::Indeterminate)
        });
        assert!(passes, "{outcome:?}");
    }
    assert_eq!(take(&queue, 1).await.len(), 1);
    tables.drop().await;
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn an_account_that_may_not_see_transactions_still_has_queues() {
    let tables = Tables::make(1).await;
    let user = tables.prefix.trim_end_matches('_').to_owned();
    let database: String = sqlx::query_scalar("SELECT DATABASE()").fetch_one(&tables.pool).await.unwrap();
    tables.run(&format!("CREATE USER '{user}'@'%' IDENTIFIED BY 'plain'")).await;
    tables.run(&format!("GRANT SELECT, INSERT, UPDATE, DELETE ON {database}.* TO '{user}'@'%'")).await;
    let options = server().username(&user).password("plain");
    let plain = MySqlPoolOptions::new().max_connections(2).connect_with(options).await.unwrap();
    let database = tables.database_on(plain);
    database.migrate().await.unwrap();
    let queue = database.queue("jobs").build().await.unwrap();
    send(&queue, &["a"]).await;
    assert_eq!(take(&queue, 10).await.len(), 1);
    let error = database.oldest_transaction().await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Permanent, "{error}");
    tables.run(&format!("DROP USER '{user}'@'%'")).await;
    tables.drop().await;
}
