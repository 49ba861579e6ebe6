//! What errors of a real server mean.

use std::time::Duration;

use queue_core::{Inspect, Outgoing, Publisher, QueueErrorKind};
use queue_sql::PgDatabase;
use sqlx::postgres::PgPoolOptions;

use crate::server::{Server, fill, ordered, send};

/// The kind of error that publishing ends with.
async fn publish(queue: &queue_sql::PgQueue) -> QueueErrorKind {
    queue.publish(vec![Outgoing::new("x")]).await.pop().unwrap().unwrap_err().error().kind()
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn tables_that_are_missing_are_a_permanent_error_that_says_what_to_do() {
    let server = Server::new().await;
    let database = PgDatabase::builder(server.pool.clone()).prefix(server.prefix.as_str()).build().unwrap();
    let error = database.queue("jobs").build().await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Permanent);
    assert!(error.message().contains("migrate"), "{error}");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_standby_a_timeout_and_a_stop_of_the_server_are_passing() {
    let server = Server::new().await;
    server.database().await.queue("jobs").build().await.unwrap();
    for settings in [[("default_transaction_read_only", "on")], [("statement_timeout", "1")]] {
        let pool = PgPoolOptions::new().max_connections(1);
        let options = server.options.clone().options(settings);
        let database = PgDatabase::builder(pool.connect_with(options).await.unwrap());
        let database = database.prefix(server.prefix.as_str()).build().unwrap();
        let queue = database.queue("jobs").build().await;
        let kind = match queue {
            Ok(queue) if settings[0].0 == "statement_timeout" => {
                server.run("BEGIN; LOCK q_message; SELECT pg_sleep(0)").await;
                publish(&queue).await
            }
            Ok(queue) => publish(&queue).await,
            Err(error) => error.kind(),
        };
        assert_eq!(kind, QueueErrorKind::Transient, "{settings:?}");
    }
    server.reconnect().await.clean().await;
}

// P29
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_call_that_waits_for_a_lock_ends_at_its_deadline_and_its_fate_is_unknown() {
    let server = Server::new().await;
    server.database().await.queue("jobs").build().await.unwrap();
    let database = PgDatabase::builder(server.pool.clone()).prefix(server.prefix.as_str());
    let database = database.deadline(Duration::from_millis(1500)).build().unwrap();
    let queue = database.queue("jobs").build().await.unwrap();
    let mut transaction = server.pool.begin().await.unwrap();
    let lock = format!("LOCK {}message", server.prefix);
    sqlx::raw_sql(sqlx::AssertSqlSafe(lock)).execute(&mut *transaction).await.unwrap();
    assert_eq!(publish(&queue).await, QueueErrorKind::Indeterminate);
    assert_eq!(queue.depth().await.unwrap_err().kind(), QueueErrorKind::Indeterminate);
    transaction.rollback().await.unwrap();
    fill(&queue, None, 1).await;
    server.clean().await;
}

// Q8, P75
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_deadlock_is_tried_again_and_nobody_hears_of_it() {
    let server = Server::with(&[("deadlock_timeout", "400ms")]).await;
    let queue = ordered(&server.database().await).await;
    for group in ["a", "b"] {
        send(&queue, group, group).await;
    }
    let mut transaction = server.pool.begin().await.unwrap();
    let lock =
        |group: &str| format!("SELECT FROM {}group WHERE group_id = '{group}' FOR UPDATE", server.prefix);
    sqlx::raw_sql(sqlx::AssertSqlSafe(lock("b"))).execute(&mut *transaction).await.unwrap();
    sqlx::raw_sql("SET LOCAL deadlock_timeout = '1h'").execute(&mut *transaction).await.unwrap();
    let batch = ["a", "b"].map(|group| Outgoing::new(format!("{group} again")).with_group_key(group));
    let publishing = queue.publish(batch.to_vec());
    let crossing = async {
        tokio::time::sleep(Duration::from_millis(100)).await; // it has locked "a" and waits for "b"
        let crossed = sqlx::raw_sql(sqlx::AssertSqlSafe(lock("a"))).execute(&mut *transaction).await;
        transaction.rollback().await.unwrap();
        crossed
    };
    let (published, crossed) = tokio::join!(publishing, crossing);
    assert!(crossed.is_ok(), "the publisher is the one that gives way");
    assert!(published.iter().all(Result::is_ok), "{published:?}");
    server.clean().await;
}
