//! Locks: what others have locked is passed over, and nothing is locked that isn't taken.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::{Tables, bodies, delete, millis, pool, send, take};

// P73, P97
#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn what_another_transaction_has_locked_is_passed_over_at_once() {
    let tables = Tables::make(3).await;
    let queue = tables.queue("jobs").await;
    tables.fill("jobs", 3_000).await;
    let mut other = tables.pool.begin().await.unwrap();
    let lock = format!("SELECT id FROM {}message ORDER BY id LIMIT 5 FOR UPDATE", tables.prefix);
    let locked = sqlx::query(sqlx::AssertSqlSafe(lock)).fetch_all(&mut *other).await.unwrap();
    assert_eq!(locked.len(), 5);
    assert_eq!(take(&queue, 10).await.len(), 10);
    let counts = "SELECT COUNT(*) FROM q_message WHERE receipt IS NOT NULL AND id > 5";
    assert_eq!(tables.number(counts).await, 10, "the ten behind those");
    other.rollback().await.unwrap();
    tables.drop().await;
}

/// The index of one queue ends where that of the next begins.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_receive_that_reaches_the_end_of_its_queue_locks_nothing_of_the_next() {
    for is_ordered in [false, true] {
        let tables = Tables::make(6).await;
        let mut queues = Vec::new();
        for name in ["first.fifo", "next.fifo"] {
            queues.push(if is_ordered { tables.ordered(name).await } else { tables.queue(name).await });
        }
        let [first, next] = [queues.remove(0), queues.remove(0)];
        let done = Arc::new(AtomicBool::new(false));
        let noise = (0..4).map(|_| {
            let (first, done) = (first.clone(), Arc::clone(&done));
            async move {
                while !done.load(Ordering::Relaxed) {
                    delete(take(&first, 10).await).await;
                }
            }
        });
        let rounds = async {
            for round in 0..100 {
                send(&next, &[&format!("a{round}")]).await;
                let taken = take(&next, 10).await;
                assert_eq!(bodies(&taken), [format!("a{round}")]);
                delete(taken).await;
            }
            done.store(true, Ordering::Relaxed);
        };
        tokio::join!(futures::future::join_all(noise), rounds);
        tables.drop().await;
    }
}

// TQ15, P29
#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_dropped_call_leaves_no_lock_and_no_open_transaction() {
    let tables = Tables::make(2).await;
    let queue = tables.queue("jobs").await;
    tables.fill("jobs", 100).await;
    for pause in 0..40 {
        let receive = take(&queue, 10);
        let _cut = tokio::time::timeout(std::time::Duration::from_micros(pause * 100), receive).await;
    }
    tokio::time::sleep(millis(300)).await;
    let sessions = format!(
        "SELECT COUNT(*) FROM information_schema.innodb_trx t JOIN information_schema.processlist p \
        ON p.id = t.trx_mysql_thread_id WHERE p.info LIKE '%{}message%'",
        tables.prefix
    );
    assert_eq!(tables.number(&sessions).await, 0);
    let visible = tables.number("SELECT COUNT(*) FROM q_message WHERE receipt IS NULL").await;
    let mut came = 0;
    loop {
        let taken = take(&queue, 10).await;
        if taken.is_empty() {
            break;
        }
        came += i64::try_from(taken.len()).unwrap();
    }
    assert_eq!(came, visible, "what was not taken is there");
    drop(pool(1, None).await);
    tables.drop().await;
}
