//! Locks of rows: who waits for whom, and who does not.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use queue_core::Receipt;

use crate::server::{Server, bodies, fill, ordered, receive};

// P97, P73, TQ1
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn receives_at_once_get_different_messages_and_as_many_as_they_asked_for() {
    let server = Server::new().await;
    let queue = server.database().await.queue("jobs").build().await.unwrap();
    fill(&queue, None, 160).await;
    let received = join_all((0..16).map(|_| receive(&queue, 10))).await;
    assert!(received.iter().all(|deliveries| deliveries.len() == 10));
    let different: BTreeSet<_> = received.iter().flat_map(|deliveries| bodies(deliveries)).collect();
    assert_eq!(different.len(), 160);
    drop(received);
    server.clean().await;
}

// TS9, P97
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_receive_skips_messages_that_somebody_has_locked_and_does_not_wait_for_them() {
    let server = Server::new().await;
    let queue = server.database().await.queue("jobs").build().await.unwrap();
    fill(&queue, None, 10).await;
    let mut transaction = server.pool.begin().await.unwrap();
    let lock = format!("SELECT FROM {}message ORDER BY id LIMIT 5 FOR UPDATE", server.prefix);
    sqlx::raw_sql(sqlx::AssertSqlSafe(lock)).execute(&mut *transaction).await.unwrap();
    assert_eq!(bodies(&receive(&queue, 10).await), ["m 5", "m 6", "m 7", "m 8", "m 9"]);
    transaction.rollback().await.unwrap();
    assert_eq!(bodies(&receive(&queue, 10).await), ["m 0", "m 1", "m 2", "m 3", "m 4"]);
    server.clean().await;
}

// P75
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn batches_that_name_the_same_messages_in_other_orders_do_not_deadlock() {
    let server = Server::alone(&[("deadlock_timeout", "50ms")]).await;
    let database = server.database().await;
    let [standard, ordered] = [database.queue("standard").build().await.unwrap(), ordered(&database).await];
    fill(&standard, None, 10).await;
    for group in 0..10 {
        fill(&ordered, Some(&format!("g{group}")), 1).await;
    }
    let deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
    let before = server.number(deadlocks).await;
    for queue in [&standard, &ordered] {
        let deliveries = receive(queue, 10).await;
        let settler = Arc::clone(deliveries[0].settler());
        let mut receipts: Vec<Receipt> =
            deliveries.iter().map(|delivery| delivery.receipt().clone()).collect();
        for _ in 0..100 {
            receipts.rotate_left(3);
            let forth: Vec<_> =
                receipts.iter().map(|receipt| (receipt.clone(), Duration::from_mins(1))).collect();
            let back: Vec<_> = forth.iter().rev().cloned().collect();
            let batches = [forth.clone(), back.clone(), forth, back];
            for answers in join_all(batches.map(|batch| settler.change_visibility(batch))).await {
                assert!(answers.iter().all(Result::is_ok), "{answers:?}");
            }
        }
    }
    let server = server.reconnect().await;
    assert_eq!(server.number(deadlocks).await, before);
    server.drop_alone().await;
}

// Q3
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_call_that_is_dropped_leaves_no_connection_in_the_middle_of_something() {
    let server = Server::new().await;
    let queue = ordered(&server.database().await).await;
    fill(&queue, Some("a"), 1).await;
    for wait in 0..40 {
        let dropped = tokio::time::timeout(Duration::from_micros(wait * 50), receive(&queue, 1)).await;
        drop(dropped);
    }
    let open =
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'q_' AND state LIKE 'idle in%'";
    assert_eq!(server.number(open).await, 0);
    server.clean().await;
}
