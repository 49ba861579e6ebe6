//! Sharing a file: with callers who go, with callers' transactions, and between handles.

use std::time::Duration;

use futures::FutureExt;
use futures::future::join_all;
use queue_core::{Consumer, Inspect, Outgoing, Publisher, PublisherExt, QueueErrorKind, ReceiveOptions};
use queue_sql::SqliteDatabase;
use tokio::time::{Instant, sleep};
use tokio_util::task::TaskTracker;

use crate::place::Place;

fn batch(count: usize) -> Vec<Outgoing> {
    (0..count).map(|n| Outgoing::new(n.to_string())).collect()
}

/// Calls that were dropped at once are done in whole or not at all, and those beside them are done.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_who_goes_takes_nobody_along() {
    let place = Place::new();
    let queue = place.queue().await;
    let (tasks, mut stay) = (TaskTracker::new(), Vec::new());
    for _ in 0..30 {
        assert!(queue.publish(batch(10)).now_or_never().is_none());
        let queue = queue.clone();
        stay.push(tasks.spawn(async move { queue.publish(batch(10)).await }));
    }
    for answers in join_all(stay).await {
        assert!(answers.unwrap().iter().all(Result::is_ok));
    }
    queue.publish_one(Outgoing::new("last")).await.unwrap();
    let visible = queue.depth().await.unwrap().visible;
    assert_eq!(visible % 10, 1, "a batch is stored in whole or not at all");
    assert!((301..=601).contains(&visible));
}

// Q3
#[tokio::test]
async fn a_call_that_waits_for_a_transaction_of_the_callers_ends_at_its_deadline() {
    let place = Place::new();
    place.database().await;
    let pool = place.pool();
    let database =
        SqliteDatabase::builder(place.pool()).deadline(Duration::from_millis(300)).build().unwrap();
    let queue = database.queue("jobs").build().await.unwrap();
    let mut transaction = pool.begin_with("BEGIN IMMEDIATE").await.unwrap();
    for answer in queue.publish_in(&mut transaction, batch(2)).await {
        answer.unwrap();
    }
    let refused = queue.publish_one(Outgoing::new("no")).await.unwrap_err();
    let kind = refused.error().kind();
    transaction.commit().await.unwrap();
    queue.publish_one(Outgoing::new("yes")).await.unwrap();
    let more = queue.depth().await.unwrap().visible - (2 + 1);
    assert!(
        matches!((kind, more), (QueueErrorKind::Transient, 0) | (QueueErrorKind::Indeterminate, 0 | 1)),
        "{kind} {more}"
    );
}

// Q3
#[tokio::test]
async fn what_a_receive_waited_for_the_database_is_not_counted_as_held() {
    let (place, held_up) = (Place::new(), Duration::from_millis(400));
    let queue = place.database().await.queue("jobs").build().await.unwrap();
    queue.publish_one(Outgoing::new("a")).await.unwrap();
    let transaction = place.pool().begin_with("BEGIN IMMEDIATE").await.unwrap();
    let start = Instant::now();
    let receive = queue.receive(ReceiveOptions::new(1).with_wait(Duration::ZERO));
    let freed = async {
        sleep(held_up).await;
        transaction.rollback().await.unwrap();
    };
    let (taken, ()) = tokio::join!(receive, freed);
    let taken = taken.unwrap().remove(0);
    assert!(start.elapsed() >= held_up);
    let believed = taken.hidden_until() - start;
    assert!(believed < taken.visibility() + held_up, "{believed:?}");
}

// P29
#[tokio::test]
async fn a_pool_that_was_closed_says_so() {
    let place = Place::new();
    let pool = place.pool();
    let database = SqliteDatabase::new(pool.clone());
    database.migrate().await.unwrap();
    let queue = database.queue("jobs").build().await.unwrap();
    pool.close().await;
    let error = queue.publish_one(Outgoing::new("a")).await.unwrap_err();
    assert_eq!(error.error().kind(), QueueErrorKind::Closed, "{error}");
}

/// What one handle publishes the other receives, each with connections of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handles_of_one_file_write_side_by_side() {
    let place = Place::new();
    let queues = [place.queue().await, place.queue().await];
    let tasks = TaskTracker::new();
    let work = |n: usize| {
        let queue = queues[n % 2].clone();
        tasks.spawn(async move {
            queue.publish_one(Outgoing::new(n.to_string())).await.unwrap();
            let wanted = ReceiveOptions::new(1).with_wait(Duration::ZERO);
            for delivery in queue.receive(wanted).await.unwrap() {
                delivery.ack().await.unwrap();
            }
        })
    };
    for done in join_all((0..100).map(work)).await {
        done.unwrap();
    }
    assert_eq!(queues[0].depth().await.unwrap(), queue_core::Depth::empty());
}

/// Each runtime ends while the writer lingers; the next one goes on.
#[test]
fn a_database_outlives_a_runtime() {
    let place = Place::new();
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let database = runtime().block_on(place.database());
    for round in 1..=3 {
        let visible = runtime().block_on(async {
            let queue = database.queue("jobs").build().await.unwrap();
            queue.publish_one(Outgoing::new("a")).await.unwrap();
            queue.depth().await.unwrap().visible
        });
        assert_eq!(visible, round);
    }
}
