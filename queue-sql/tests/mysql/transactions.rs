//! Transactions of the caller's: what they see of what others publish.

use queue_core::{Publisher, Rejected};

use crate::support::{Tables, bodies, grouped, take};

// Q9: the caller's snapshot is older than the first of the two
#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_duplicate_is_known_in_a_transaction_with_an_old_snapshot() {
    let tables = Tables::make(3).await;
    let queue = tables.ordered("jobs.fifo").await;
    let mut transaction = tables.pool.begin_with("START TRANSACTION WITH CONSISTENT SNAPSHOT").await.unwrap();
    let first = queue.publish(vec![grouped("a1")]).await.remove(0).unwrap();
    let answers = queue.publish_in(&mut transaction, vec![grouped("a1"), grouped("a2")]).await;
    let ids: Vec<_> =
        answers.into_iter().map(|answer| answer.map_err(Rejected::into_error).unwrap()).collect();
    assert_eq!(ids[0], first);
    transaction.commit().await.unwrap();
    assert_eq!(bodies(&take(&queue, 10).await), ["a1", "a2"]);
    tables.drop().await;
}
