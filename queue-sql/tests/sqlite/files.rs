//! Files that are none, or that can't be written: errors that say so.

use queue_core::{Depth, Inspect, Outgoing, PublisherExt, QueueError, QueueErrorKind};
use queue_sql::{SqliteDatabase, SqliteOptions, SqliteQueue};

use crate::place::Place;

fn assert_names(error: &QueueError, kind: QueueErrorKind, path: &std::path::Path) {
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.message().contains(&path.display().to_string()), "{error}");
}

#[tokio::test]
async fn a_path_that_is_no_database_is_refused_by_name() {
    let place = Place::new();
    let text = place.directory.path().join("notes.txt");
    std::fs::write(&text, "this is a text of more than one page ".repeat(200)).unwrap();
    let missing = place.directory.path().join("missing/jobs.db");
    for path in [place.directory.path(), text.as_path(), missing.as_path()] {
        let error = SqliteQueue::open(path).await.unwrap_err();
        assert_names(&error, QueueErrorKind::Permanent, path);
    }
    assert!(!missing.exists());
}

#[tokio::test]
async fn a_full_disk_is_a_passing_error_that_names_the_file_and_spares_the_others() {
    let place = Place::new();
    let pool = SqliteOptions::new(place.file()).connect().await.unwrap();
    let database = SqliteDatabase::new(pool.clone());
    database.migrate().await.unwrap();
    let queue = database.queue("jobs").build().await.unwrap();
    let mut connections = Vec::new();
    for _ in 0..pool.options().get_max_connections() {
        let mut connection = pool.acquire().await.unwrap();
        let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut *connection).await.unwrap();
        let limit = format!("PRAGMA max_page_count = {}", pages + 4);
        sqlx::query(sqlx::AssertSqlSafe(limit)).execute(&mut *connection).await.unwrap();
        connections.push(connection);
    }
    drop(connections);
    let large = queue.publish_one(Outgoing::new("x".repeat(100_000)));
    let small = queue.publish_one(Outgoing::new("y"));
    let (large, small) = tokio::join!(large, small);
    assert_names(
        large.unwrap_err().error(),
        QueueErrorKind::Transient,
        &place.file().canonicalize().unwrap(),
    );
    small.unwrap();
}

#[tokio::test]
async fn a_database_in_memory_lives_as_long_as_its_handles_and_is_its_own() {
    let [first, second] =
        [SqliteDatabase::in_memory().await.unwrap(), SqliteDatabase::in_memory().await.unwrap()];
    let queue = first.queue("jobs").build().await.unwrap();
    drop(first);
    queue.publish_one(Outgoing::new("a")).await.unwrap();
    let other = second.queue("jobs").build().await.unwrap();
    assert_eq!(queue.depth().await.unwrap().visible, 1);
    assert_eq!(other.depth().await.unwrap(), Depth::empty());
}
