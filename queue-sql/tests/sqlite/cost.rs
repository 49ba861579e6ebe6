//! What calls cost: statements, and transactions that many share.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use queue_core::{Consumer, Delivery, Outgoing, Publisher, PublisherExt, ReceiveOptions};
use queue_sql::{SqliteQueue, SqliteSynchronous};

use crate::place::Place;
use crate::recorder::{record, take};

async fn fill(queue: &SqliteQueue, count: usize) {
    for answer in queue.publish((0..count).map(|n| Outgoing::new(n.to_string())).collect()).await {
        answer.unwrap();
    }
}

async fn receive(queue: &SqliteQueue) -> Vec<Delivery> {
    queue.receive(ReceiveOptions::default().with_wait(Duration::ZERO)).await.unwrap()
}

/// Has the upkeep of the first receive behind it.
async fn settled(place: &Place) -> SqliteQueue {
    record();
    let queue = place.queue().await;
    assert!(receive(&queue).await.is_empty());
    tokio::time::sleep(Duration::from_millis(200)).await;
    take(&place.threads);
    queue
}

// B9
#[tokio::test]
async fn receiving_ten_deleting_ten_hiding_ten_and_publishing_ten_are_one_statement_each() {
    let place = Place::new();
    let queue = settled(&place).await;
    fill(&queue, 10).await;
    assert_eq!(take(&place.threads).len(), 1);
    fill(&queue, 10).await;
    fill(&queue, 10).await;
    assert_eq!(receive(&queue).await.len(), 10); // with a look before it, as there was nothing the last time
    assert_eq!(take(&place.threads).len(), 2 + 2);
    let deliveries = receive(&queue).await;
    assert_eq!((take(&place.threads).len(), deliveries.len()), (1, 10));
    let settler = Arc::clone(deliveries[0].settler());
    let later = |delivery: &Delivery| (delivery.receipt().clone(), Duration::from_mins(1));
    let changed = settler.change_visibility(deliveries.iter().map(later).collect()).await;
    assert!(changed.iter().all(Result::is_ok) && changed.len() == 10);
    assert_eq!(take(&place.threads).len(), 1);
    let deleted =
        settler.delete(deliveries.iter().map(|delivery| delivery.receipt().clone()).collect()).await;
    assert!(deleted.iter().all(Result::is_ok) && deleted.len() == 10);
    assert_eq!(take(&place.threads).len(), 1);
}

// B9
#[tokio::test]
async fn a_receive_of_nothing_reads_once_and_writes_nothing() {
    let place = Place::new();
    let queue = settled(&place).await;
    assert!(receive(&queue).await.is_empty());
    let run = take(&place.threads);
    assert!(run.len() == 1 && run[0].starts_with("SELECT"), "{run:?}");
}

// TQ14
#[tokio::test]
async fn what_is_asked_for_while_the_disk_is_busy_shares_one_transaction() {
    let place = Place::new();
    let queue = settled(&place).await;
    let publish = |n: usize| {
        let queue = queue.clone();
        async move { queue.publish_one(Outgoing::new(n.to_string())).await }
    };
    let answers = join_all((0..50).map(publish)).await;
    assert!(answers.iter().all(Result::is_ok));
    let run = take(&place.threads);
    let count = |word: &str| run.iter().filter(|statement| statement.starts_with(word)).count();
    assert_eq!(count("INSERT"), 50);
    assert!((1..=2).contains(&count("COMMIT")), "the first may go alone, the others together: {run:?}");
}

// Q6
#[tokio::test]
async fn a_commit_waits_for_the_disk_unless_it_is_told_not_to() {
    for (synchronous, level) in [(SqliteSynchronous::Full, 2), (SqliteSynchronous::Normal, 1)] {
        let place = Place::new();
        let options = queue_sql::SqliteOptions::new(place.file()).synchronous(synchronous);
        let pool = options.connect().await.unwrap();
        let mut connections = [pool.acquire().await.unwrap(), pool.acquire().await.unwrap()];
        for connection in &mut connections {
            let found: i64 =
                sqlx::query_scalar("PRAGMA synchronous").fetch_one(&mut **connection).await.unwrap();
            let mode: String =
                sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut **connection).await.unwrap();
            assert_eq!((found, mode.as_str()), (level, "wal"));
        }
    }
}
