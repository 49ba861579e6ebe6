//! Making the tables.

use futures::future::join_all;
use queue_core::QueueErrorKind;
use queue_sql::PgDatabase;

use crate::server::Server;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn ten_processes_make_the_tables_at_once() {
    let server = Server::new().await;
    let database =
        || PgDatabase::builder(server.pool.clone()).prefix(server.prefix.as_str()).build().unwrap();
    let databases: Vec<_> = (0..10).map(|_| database()).collect();
    for made in join_all(databases.iter().map(PgDatabase::migrate)).await {
        made.unwrap();
    }
    assert_eq!(server.number("SELECT count(*) FROM q_migration").await, 1);
    server.clean().await;
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn tables_of_a_later_version_are_refused() {
    let server = Server::new().await;
    let database = server.database().await;
    server.run("INSERT INTO q_migration VALUES (99)").await;
    let error = database.migrate().await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Permanent);
    assert!(error.message().contains("99"), "{error}");
    server.clean().await;
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn the_file_can_be_applied_by_hand() {
    let server = Server::new().await;
    let file = include_str!("../../migrations/postgres/0001_queue.sql");
    server.run(&format!("BEGIN; {file} COMMIT")).await;
    server.database().await.queue("jobs").build().await.unwrap();
    server.clean().await;
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_migration_that_is_dropped_leaves_nothing_behind_that_stops_the_next_one() {
    let server = Server::new().await;
    let database = PgDatabase::builder(server.pool.clone()).prefix(server.prefix.as_str()).build().unwrap();
    for wait in [1, 3, 6] {
        let dropped = tokio::time::timeout(std::time::Duration::from_millis(wait), database.migrate()).await;
        drop(dropped);
    }
    database.migrate().await.unwrap();
    server.clean().await;
}
