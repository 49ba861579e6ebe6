//! Costs: statements, and the rows that they read.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{Delivery, Inspect, Outgoing, Publisher, Receipt};

use crate::support::{Tables, delete, send, take};

/// What the session counts. `Questions` counts statements, of which the two that begin a transaction go in one packet.
const READS: [&str; 4] =
    ["Handler_read_next", "Handler_read_rnd_next", "Handler_read_key", "Handler_read_rnd"];

/// What a session counted during some work.
struct Cost {
    statements: u64,
    reads: u64,
    sorts: u64,
}

/// The cost of some work on tables whose pool has one connection.
async fn cost<T>(tables: &Tables, work: impl Future<Output = T>) -> (Cost, T) {
    async fn counts(tables: &Tables) -> [u64; 3] {
        let [mut reads, mut sorts] = [0; 2];
        for name in READS {
            reads += tables.counted(name).await;
        }
        for name in ["Sort_scan", "Sort_range", "Sort_merge_passes"] {
            sorts += tables.counted(name).await;
        }
        [tables.counted("Questions").await, reads, sorts]
    }
    // Asking is statements and reads too: as many each time.
    let [first, before] = [counts(tables).await, counts(tables).await];
    let done = work.await;
    let after = counts(tables).await;
    let of = |at: usize| (after[at] - before[at]).saturating_sub(before[at] - first[at]);
    (Cost { statements: of(0), reads: of(1), sorts: of(2) }, done)
}

fn receipts(deliveries: &[Delivery]) -> Vec<Receipt> {
    deliveries.iter().map(|delivery| delivery.receipt().clone()).collect()
}

async fn extend(deliveries: &[Delivery]) {
    let changes = receipts(deliveries).into_iter().map(|receipt| (receipt, Duration::from_secs(90)));
    let settler = Arc::clone(deliveries[0].settler());
    for answer in settler.change_visibility(changes.collect()).await {
        answer.unwrap();
    }
}

// B9, P73
#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_receive_of_ten_is_four_round_trips_a_delete_one_and_neither_sorts_or_scans() {
    let tables = Tables::make(1).await;
    let queue = tables.queue("jobs").await;
    tables.fill("jobs", 20_000).await;
    delete(take(&queue, 10).await).await; // sweeps, and prepares
    tokio::time::sleep(Duration::from_millis(300)).await;
    let (received, deliveries) = cost(&tables, take(&queue, 10)).await;
    assert_eq!(deliveries.len(), 10);
    assert_eq!(received.statements, 5, "set and start in one packet, select, update, commit");
    assert!(received.reads < 600, "{} rows were read for ten messages", received.reads);
    assert_eq!(received.sorts, 0);
    let (extended, ()) = cost(&tables, extend(&deliveries)).await;
    assert_eq!((extended.statements, extended.sorts), (1, 0));
    assert!(extended.reads < 60, "{} rows were read to extend ten", extended.reads);
    let (deleted, ()) = cost(&tables, delete(deliveries)).await;
    assert_eq!((deleted.statements, deleted.sorts), (1, 0));
    assert!(deleted.reads < 60, "{} rows were read to delete ten", deleted.reads);
    let batch = (0..10).map(|n| Outgoing::new(n.to_string())).collect();
    let (published, _) = cost(&tables, queue.publish(batch)).await;
    assert_eq!(published.statements, 1);
    tables.drop().await;
}

// B9: also when the table is so small that the server would rather read all of it
#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_small_table_is_read_by_its_indexes_too() {
    let tables = Tables::make(1).await;
    let queue = tables.queue("jobs").await;
    send(&queue, &["a", "b", "c"]).await;
    delete(take(&queue, 1).await).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let (received, deliveries) = cost(&tables, take(&queue, 2)).await;
    assert_eq!((deliveries.len(), received.statements, received.sorts), (2, 5, 0));
    let (deleted, ()) = cost(&tables, delete(deliveries)).await;
    assert_eq!((deleted.statements, deleted.sorts), (1, 0));
    tables.drop().await;
}

// TQ5
#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn an_empty_receive_does_not_read_what_is_in_flight() {
    let tables = Tables::make(1).await;
    let queue = tables.queue("jobs").await;
    tables.fill("jobs", 20_000).await;
    let hide = "UPDATE q_message SET visible_us = visible_us + 7200000000, receipt = message_id, received_us = sent_us";
    tables.run(hide).await;
    assert!(take(&queue, 10).await.is_empty());
    tokio::time::sleep(Duration::from_millis(300)).await;
    let (received, deliveries) = cost(&tables, take(&queue, 10)).await;
    assert!(deliveries.is_empty());
    assert!(received.reads < 40, "{} rows were read for nothing", received.reads);
    assert_eq!(queue.depth().await.unwrap().in_flight, 20_000);
    tables.drop().await;
}

// TQ8
#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_blocked_group_with_a_backlog_costs_nothing() {
    let tables = Tables::make(1).await;
    let queue = tables.ordered("jobs.fifo").await;
    send(&queue, &["a1", "a2"]).await;
    let held = take(&queue, 1).await;
    assert_eq!(crate::support::bodies(&held), ["a1"]);
    tables
        .run(
            "INSERT INTO q_ordered_message (id, queue_id, group_id, visible_us, sent_us, message_id, body)
             WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
             SELECT a.id + n.i + 2, a.queue_id, a.group_id, a.visible_us, a.sent_us, a.message_id, 'behind'
             FROM n JOIN q_ordered_message a WHERE a.body = 'a2'",
        )
        .await;
    send(&queue, &["b1", "b2", "c1"]).await;
    let warm = take(&queue, 1).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let (received, deliveries) = cost(&tables, take(&queue, 10)).await;
    assert_eq!(crate::support::bodies(&deliveries), ["c1"], "b1 is held, and a1");
    assert!(received.reads < 60, "{} rows were read", received.reads);
    let (settled, ()) = cost(&tables, delete(held)).await;
    assert!(settled.reads < 60, "{} rows were read to delete one", settled.reads);
    assert_eq!(received.sorts + settled.sorts, 0);
    drop((warm, deliveries));
    tables.drop().await;
}
