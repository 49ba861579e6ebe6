//! Making the tables: by hand, and by ten at once.

use futures::future::join_all;
use queue_core::{Inspect, Outgoing, PublisherExt, QueueErrorKind};
use queue_sql::SqliteQueue;
use tokio_util::task::TaskTracker;

use crate::place::Place;

const FILE: &str = include_str!("../../migrations/sqlite/0001_queue.sql");

#[tokio::test]
async fn the_file_can_be_applied_by_hand() {
    let place = Place::new();
    let pool = place.pool();
    sqlx::raw_sql(FILE).execute(&pool).await.unwrap();
    let queue = place.queue().await;
    queue.publish_one(Outgoing::new("a")).await.unwrap();
    assert_eq!(queue.depth().await.unwrap().visible, 1);
    let applied: i64 = sqlx::query_scalar("SELECT count(*) FROM q_migration").fetch_one(&pool).await.unwrap();
    assert_eq!(applied, 1);
}

// P87
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_that_open_a_file_that_is_not_there_yet_have_one_queue() {
    let place = Place::new();
    let tasks = TaskTracker::new();
    let open = || tasks.spawn(SqliteQueue::open(place.file()));
    let queues: Vec<_> =
        join_all((0..10).map(|_| open())).await.into_iter().map(|opened| opened.unwrap().unwrap()).collect();
    for queue in &queues {
        queue.publish_one(Outgoing::new("a")).await.unwrap();
    }
    assert_eq!(queues[0].depth().await.unwrap().visible, 10);
}

#[tokio::test]
async fn tables_of_a_later_version_are_refused() {
    let place = Place::new();
    let database = place.database().await;
    sqlx::query("INSERT INTO q_migration VALUES (1000, 0)").execute(&place.pool()).await.unwrap();
    let error = database.migrate().await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Permanent);
    assert!(error.message().contains("1000"), "{error}");
}
