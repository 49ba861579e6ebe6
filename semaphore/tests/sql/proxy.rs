//! A transaction-pooling proxy that does not track prepared statements: `PgBouncer` before 1.21.

use semaphore::PgSemaphore;
use sqlx::postgres::PgPoolOptions;

use crate::support::{Db, is_full, run, spawn, take, url};

// S14, P69, P70: eight clients share fewer server connections, and each transaction may get another one.
#[test]
#[ignore = "needs PgBouncer: cargo xtask test"]
fn it_works_through_a_transaction_pooling_proxy() {
    run(async {
        let pool = PgPoolOptions::new().max_connections(8).test_before_acquire(false);
        let pool = pool.connect(&url("PGBOUNCER_URL")).await.unwrap();
        let db = Db::new(PgSemaphore::new(pool).without_prepared_statements(), None).await;
        let clients = (0..8).map(|client| {
            let semaphore = db.semaphore.clone();
            spawn(async move {
                let key = format!("k{client}");
                for _ in 0..30 {
                    let permit = take(&semaphore, &key, 1).await;
                    is_full(&semaphore, &key, 1).await;
                    permit.release().await.unwrap();
                }
            })
        });
        for done in futures::future::join_all(clients).await {
            done.unwrap();
        }
        assert!(db.semaphore.collect(std::time::Duration::ZERO, 100).await.unwrap() >= 8);
    });
}
