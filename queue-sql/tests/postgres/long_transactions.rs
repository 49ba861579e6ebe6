//! Long transactions: that they are seen, and what they do to receiving.

use std::time::Duration;

use crate::server::Server;

// TQ13, P100
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_transaction_that_is_open_is_seen_with_its_age() {
    let server = Server::new().await;
    let database = server.database().await;
    let mut reader = server.pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ").await.unwrap();
    let read = sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {}queue", server.prefix));
    sqlx::raw_sql(read).execute(&mut *reader).await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let age = database.oldest_transaction().await.unwrap().unwrap();
    assert!(age >= Duration::from_millis(300), "{age:?}");
    reader.rollback().await.unwrap();
    server.clean().await;
}
