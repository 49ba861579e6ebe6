//! Isolation: whatever the pool's sessions are set to.

use std::collections::BTreeSet;

use queue_core::{Outgoing, PublisherExt, Rejected};

use crate::support::{Tables, bodies, delete, grouped, pool, take};

// TS14
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn queues_work_in_sessions_of_any_isolation_level() {
    for first in [
        "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE",
        "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
        "SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
    ] {
        for is_ordered in [false, true] {
            let tables = Tables::make(1).await;
            let database = tables.database_on(pool(8, Some(first)).await);
            let builder = database.queue("jobs.fifo");
            let builder = if is_ordered { builder.ordered() } else { builder };
            let queue = builder.build().await.unwrap();
            let workers = (0..8).map(|worker| {
                let queue = queue.clone();
                async move {
                    let made = |n: i32| {
                        let body = format!("{}-{worker}-{n}", n % 5);
                        if is_ordered { grouped(&body) } else { Outgoing::new(body) }
                    };
                    let mut came = Vec::new();
                    for round in 0..10 {
                        let batch = (0..10).map(|n| made(round * 10 + n)).collect();
                        for answer in queue.publish_all(batch).await {
                            answer.map_err(Rejected::into_error).unwrap();
                        }
                        let taken = take(&queue, 10).await;
                        came.extend(bodies(&taken).into_iter().map(str::to_owned));
                        delete(taken).await;
                    }
                    came
                }
            });
            let mut came: Vec<String> = futures::future::join_all(workers).await.concat();
            loop {
                let taken = take(&queue, 10).await;
                if taken.is_empty() {
                    break;
                }
                came.extend(bodies(&taken).into_iter().map(str::to_owned));
                delete(taken).await;
            }
            let distinct: BTreeSet<&String> = came.iter().collect();
            assert_eq!((came.len(), distinct.len()), (800, 800), "{first}, ordered: {is_ordered}");
            tables.drop().await;
        }
    }
}
