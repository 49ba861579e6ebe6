//! Through a pooling proxy in transaction mode.

use std::sync::atomic::{AtomicUsize, Ordering};

use queue_core::Consumer;
use queue_sql::PgDatabase;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::server::{Server, delete, fill, now, ordered, receive};

// S14, P69, P70
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs PgBouncer: cargo xtask test"]
async fn queues_work_through_a_proxy_that_gives_each_transaction_another_session() {
    let url = std::env::var("PGBOUNCER_URL").unwrap();
    let options = url.parse::<PgConnectOptions>().unwrap().statement_cache_capacity(0);
    let pool = PgPoolOptions::new().max_connections(16).connect_with(options).await.unwrap();
    let server = Server { pool, ..Server::new().await };
    let database = PgDatabase::builder(server.pool.clone()).prefix(server.prefix.as_str());
    let database = database.without_prepared_statements().build().unwrap();
    database.migrate().await.unwrap();
    let [standard, ordered] = [database.queue("standard").build().await.unwrap(), ordered(&database).await];
    let handled = AtomicUsize::new(0);
    let working = (0..8).map(|task| {
        let (standard, ordered, handled) = (&standard, &ordered, &handled);
        async move {
            let group = format!("g{task}");
            for round in 0..5 {
                fill(standard, None, 10).await;
                let received = receive(standard, 10).await; // others at work leave it fewer, now and then
                handled.fetch_add(received.len(), Ordering::Relaxed);
                delete(received).await;
                crate::server::send(ordered, &group, &format!("{group} {round}")).await;
                let attempt = now(1).with_attempt_id(format!("{group}.{round}"));
                delete(ordered.receive(attempt).await.unwrap()).await;
            }
        }
    });
    futures::future::join_all(working).await;
    loop {
        let left = receive(&standard, 10).await;
        if left.is_empty() {
            break;
        }
        handled.fetch_add(left.len(), Ordering::Relaxed);
        delete(left).await;
    }
    assert_eq!(handled.into_inner(), 8 * 5 * 10);
    server.clean().await;
}
