//! Migrations: by several at once, by hand, and refused.

use futures::future::join_all;
use queue_sql::MySqlDatabase;

use crate::support::{Tables, bodies, send, take};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn ten_processes_may_migrate_at_once() {
    for _ in 0..3 {
        let tables = Tables::none(12).await;
        let databases: Vec<_> = (0..10).map(|_| tables.database()).collect();
        for answer in join_all(databases.iter().map(MySqlDatabase::migrate)).await {
            answer.unwrap();
        }
        tables.database().migrate().await.unwrap();
        assert_eq!(tables.number("SELECT COUNT(*) FROM q_migration").await, 1);
        let queue = tables.queue("jobs").await;
        send(&queue, &["a"]).await;
        assert_eq!(bodies(&take(&queue, 10).await), ["a"]);
        tables.drop().await;
    }
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn the_file_can_be_run_as_it_is_and_again() {
    let tables = Tables::none(2).await;
    for _ in 0..2 {
        tables.run(include_str!("../../migrations/mysql/0001_queue.sql")).await;
    }
    tables.database().migrate().await.unwrap();
    assert_eq!(tables.number("SELECT COUNT(*) FROM q_migration").await, 1);
    tables.drop().await;
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn half_a_migration_is_finished_and_later_tables_are_refused() {
    let tables = Tables::make(2).await;
    tables.run("DELETE FROM q_migration").await;
    tables.run("DROP TABLE q_attempt").await;
    tables.database().migrate().await.unwrap();
    assert_eq!(tables.number("SELECT COUNT(*) FROM q_attempt").await, 0);
    tables.run("INSERT INTO q_migration VALUES (99, 0)").await;
    let error = tables.database().migrate().await.unwrap_err().to_string();
    assert!(error.contains("99"), "{error}");
    tables.drop().await;
}

/// Names and keys are compared byte for byte, whatever the database's collation is.
#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn names_and_groups_that_differ_in_case_are_different() {
    let tables = Tables::make(2).await;
    let [lower, upper] = [tables.ordered("jobs.fifo").await, tables.ordered("JOBS.fifo").await];
    send(&lower, &["a1", "A1", "a2"]).await;
    assert!(take(&upper, 10).await.is_empty());
    let held = take(&lower, 1).await;
    assert_eq!(bodies(&held), ["a1"]);
    assert_eq!(bodies(&take(&lower, 10).await), ["A1"], "another group, another id");
    tables.drop().await;
}
