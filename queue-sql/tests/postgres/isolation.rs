//! Pools whose sessions have another isolation level.

use std::collections::BTreeSet;

use futures::future::join_all;
use queue_sql::PgQueue;

use crate::server::{Server, bodies, delete, fill, ordered, receive};

/// Receives and deletes until there is nothing left.
async fn drain(queue: &PgQueue) -> Vec<String> {
    let mut drained = Vec::new();
    let mut empty = 0;
    while empty < 20 {
        let deliveries = receive(queue, 5).await;
        empty = if deliveries.is_empty() { empty + 1 } else { 0 };
        drained.extend(bodies(&deliveries).into_iter().map(str::to_owned));
        delete(deliveries).await;
    }
    drained
}

// TS14, TQ1
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn no_default_isolation_level_lets_an_error_or_a_second_delivery_through() {
    for level in ["repeatable read", "serializable"] {
        let server = Server::with(&[("default_transaction_isolation", level)]).await;
        let database = server.database().await;
        let [standard, ordered] =
            [database.queue("standard").build().await.unwrap(), ordered(&database).await];
        for (queue, groups) in [(&standard, 1), (&ordered, 12)] {
            let group = |number: usize| (queue.name() == "ordered").then(|| format!("g{number}"));
            let groups: Vec<_> = (0..groups).map(group).collect();
            join_all(groups.iter().map(|group| fill(queue, group.as_deref(), 240 / groups.len()))).await;
            let drained: Vec<_> =
                join_all((0..8).map(|_| drain(queue))).await.into_iter().flatten().collect();
            assert_eq!(drained.len(), 240, "{level} {}", queue.name());
            assert_eq!(drained.into_iter().collect::<BTreeSet<_>>().len(), 240);
        }
        server.clean().await;
    }
}
