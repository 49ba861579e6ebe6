//! The conformance suites on SQLite: in a file, and in memory.

#![expect(clippy::expect_used, reason = "a factory panics when it can't make a queue")]

use queue_sql::{SqliteDatabase, SqliteQueue};
use testkit::{Fixture, Promises, QueuePromise, Setup};

testkit::conformance! {
    file: queue(promises(), in_file),
    file_ordered: ordered_queue(Promises::ordered().with(QueuePromise::ExactDepth).with(QueuePromise::Purge), in_file),
    memory: queue(promises().without(QueuePromise::Retention), in_memory),
    memory_ordered: ordered_queue(Promises::ordered().without(QueuePromise::Retention), in_memory),
}

fn promises() -> Promises<QueuePromise> {
    Promises::standard().with(QueuePromise::ExactDepth).with(QueuePromise::Purge)
}

async fn in_file(setup: Setup) -> Fixture {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let database =
        SqliteDatabase::open(directory.path().join("jobs.db")).await.expect("the file can be made");
    fixture(&database, &setup).await.keeping(directory)
}

async fn in_memory(setup: Setup) -> Fixture {
    let database = SqliteDatabase::in_memory().await.expect("there is memory");
    fixture(&database, &setup).await
}

async fn fixture(database: &SqliteDatabase, setup: &Setup) -> Fixture {
    let dead = queue(database, setup, None).await;
    let queue = queue(database, setup, Some(&dead)).await;
    Fixture::new(queue.clone()).with_inspect(queue).with_dead_letter(dead)
}

async fn queue(database: &SqliteDatabase, setup: &Setup, dead: Option<&SqliteQueue>) -> SqliteQueue {
    let name = if dead.is_some() { setup.name.to_string() } else { "dead".to_owned() };
    let mut queue = database.queue(name);
    if setup.ordered {
        queue = queue.ordered();
    }
    if setup.content_deduplication {
        queue = queue.content_deduplication();
    }
    if let Some(dead) = dead {
        queue = queue.visibility(setup.visibility).retention(setup.retention);
        if let Some(max) = setup.max_receive_count {
            queue = queue.dead_letter(dead, max);
        }
    }
    queue.build().await.expect("the set-up is within the limits")
}
