//! Isolation: whatever the pool's sessions are set to.

use std::collections::BTreeSet;

use futures::future::join_all;
use queue_core::{Outgoing, Publisher, PublisherExt, Rejected};
use queue_sql::MySqlQueue;

use crate::support::{Tables, bodies, delete, grouped, pool, take};

const LEVELS: [&str; 3] = [
    "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE",
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    "SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
];

/// Receives and deletes ten messages at most; their bodies.
async fn consume(queue: &MySqlQueue) -> Vec<String> {
    let taken = take(queue, 10).await;
    let came = bodies(&taken).into_iter().map(str::to_owned).collect();
    delete(taken).await;
    came
}

/// Publishes a hundred messages of five groups, and consumes as often.
async fn work(queue: MySqlQueue, worker: u32) -> Vec<String> {
    let is_ordered = queue.limits().ordered;
    let made = |n: u32| {
        let body = format!("{}-{worker}-{n}", n % 5);
        if is_ordered { grouped(&body) } else { Outgoing::new(body) }
    };
    let mut came = Vec::new();
    for round in 0..10 {
        for answer in queue.publish_all((0..10).map(|n| made(round * 10 + n)).collect()).await {
            answer.map_err(Rejected::into_error).unwrap();
        }
        came.extend(consume(&queue).await);
    }
    came
}

// TS14
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn queues_work_in_sessions_of_any_isolation_level() {
    for (level, is_ordered) in LEVELS.into_iter().flat_map(|level| [(level, false), (level, true)]) {
        let tables = Tables::make(1).await;
        let builder = tables.database_on(pool(8, Some(level)).await).queue("jobs.fifo");
        let queue = if is_ordered { builder.ordered() } else { builder }.build().await.unwrap();
        let mut came = join_all((0..8).map(|worker| work(queue.clone(), worker))).await.concat();
        loop {
            let more = consume(&queue).await;
            if more.is_empty() {
                break;
            }
            came.extend(more);
        }
        let distinct: BTreeSet<&String> = came.iter().collect();
        assert_eq!((came.len(), distinct.len()), (800, 800), "{level}, ordered: {is_ordered}");
        tables.drop().await;
    }
}
