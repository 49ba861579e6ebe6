//! Load: deadlocks stay inside, also while the sweep is at work.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::future::join_all;
use queue_core::{Outgoing, Publisher, PublisherExt, Rejected};
use queue_sql::MySqlQueue;

use crate::support::{Tables, bodies, delete, grouped, take};

async fn publish(queue: &MySqlQueue, batch: Vec<Outgoing>) {
    for answer in queue.publish_all(batch).await {
        answer.map_err(Rejected::into_error).unwrap();
    }
}

/// A handle of its own: each sweeps at its first receive.
async fn handle(tables: &Tables, is_ordered: bool) -> MySqlQueue {
    let builder = tables.database().queue("jobs.fifo").retention(Duration::from_mins(1));
    if is_ordered { builder.ordered() } else { builder }.build().await.unwrap()
}

async fn publish_ten(queue: &MySqlQueue, what: &str) {
    let is_ordered = queue.limits().ordered;
    let made = |body: String| if is_ordered { grouped(&body) } else { Outgoing::new(body) };
    publish(queue, (0..10).map(|n| made(format!("{n}-{what}"))).collect()).await;
}

/// Publishes and consumes: nothing that is past its retention comes.
async fn work(queue: MySqlQueue, worker: u32) {
    for round in 0..25 {
        publish_ten(&queue, &format!("new-{worker}-{round}")).await;
        let taken = take(&queue, 10).await;
        assert!(bodies(&taken).iter().all(|body| body.contains("new")));
        delete(taken).await;
    }
}

async fn sweep(tables: &Tables, is_ordered: bool, done: &AtomicBool) {
    while !done.load(Ordering::Relaxed) {
        delete(take(&handle(tables, is_ordered).await, 10).await).await;
    }
}

// P90
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_sweep_under_load_fails_nobody() {
    for is_ordered in [false, true] {
        let tables = Tables::make(16).await;
        let queue = handle(&tables, is_ordered).await;
        for round in 0..60 {
            publish_ten(&queue, &format!("old-{round}")).await;
        }
        for table in ["q_message", "q_ordered_message"] {
            tables.run(&format!("UPDATE {table} SET sent_us = sent_us - 3600000000")).await;
        }
        let done = AtomicBool::new(false);
        let sweepers = (0..3).map(|_| sweep(&tables, is_ordered, &done));
        let workers = async {
            join_all((0..8).map(|worker| work(queue.clone(), worker))).await;
            done.store(true, Ordering::Relaxed);
        };
        tokio::join!(join_all(sweepers), workers);
        take(&handle(&tables, is_ordered).await, 10).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        for table in ["q_message", "q_ordered_message"] {
            let old = tables.number(&format!("SELECT COUNT(*) FROM {table} WHERE body LIKE '%old%'")).await;
            assert_eq!(old, 0, "{table}");
        }
        tables.drop().await;
    }
}

// P75: batches of the same groups in opposite orders
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn batches_of_the_same_groups_in_opposite_orders_fail_nobody() {
    let tables = Tables::make(16).await;
    let queue = tables.ordered("jobs.fifo").await;
    let senders = (0..12).map(|sender| {
        let queue = queue.clone();
        async move {
            for round in 0..30 {
                let body = |n: i32| format!("{}-{sender}-{round}", if sender % 2 == 0 { n } else { 9 - n });
                publish(&queue, (0..10).map(|n| grouped(&body(n))).collect()).await;
                delete(take(&queue, 10).await).await;
            }
        }
    });
    join_all(senders).await;
    let mut rest = 0;
    loop {
        let taken = take(&queue, 10).await;
        if taken.is_empty() {
            break;
        }
        rest += taken.len();
        delete(taken).await;
    }
    assert!(rest <= 3_600);
    assert_eq!(tables.number("SELECT COUNT(*) FROM q_ordered_message").await, 0);
    assert_eq!(tables.number("SELECT COUNT(*) FROM q_group").await, 0, "groups without messages do not stay");
    tables.drop().await;
}
