//! Clocks: the server's alone, and the same in every session.

use crate::support::{Tables, bodies, millis, pool, send, take, take_for};

// TS12
#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn sessions_of_different_time_zones_agree_on_what_is_visible() {
    let tables = Tables::make(2).await;
    let mut queues = Vec::new();
    for first in ["SET time_zone = '+02:00'", "SET time_zone = '-11:30'", "SET time_zone = 'SYSTEM'"] {
        let database = tables.database_on(pool(1, Some(first)).await);
        queues.push(database.queue("jobs").build().await.unwrap());
    }
    queues.push(tables.queue("jobs").await);
    for (at, sender) in queues.iter().enumerate() {
        let receiver = &queues[(at + 1) % queues.len()];
        send(sender, &["x"]).await;
        let held = take_for(receiver, 10, millis(1_000)).await;
        assert_eq!(bodies(&held), ["x"], "at once, in every time zone");
        assert!(take(sender, 10).await.is_empty(), "and hidden in every time zone");
        tokio::time::sleep(millis(1_100)).await;
        let again = take(sender, 10).await;
        assert_eq!(again[0].message().receive_count(), 2, "and visible on time");
        crate::support::delete(again).await;
    }
    tables.drop().await;
}

// TQ13, P100
#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn the_age_of_the_oldest_transaction_is_told_in_every_time_zone() {
    let tables = Tables::make(2).await;
    let mut open = tables.pool.begin().await.unwrap();
    sqlx::query("SELECT COUNT(*) FROM information_schema.tables").fetch_one(&mut *open).await.unwrap();
    tables.run("INSERT INTO q_migration VALUES (0, 0)").await;
    let version = format!("SELECT COUNT(*) FROM {}migration", tables.prefix);
    sqlx::query(sqlx::AssertSqlSafe(version)).fetch_one(&mut *open).await.unwrap();
    tokio::time::sleep(millis(1_200)).await;
    for first in ["SET time_zone = '+02:00'", "SET time_zone = '+00:00'"] {
        let database = tables.database_on(pool(1, Some(first)).await);
        let age = database.oldest_transaction().await.unwrap().expect("one is open");
        assert!((1..300).contains(&age.as_secs()), "{age:?}");
    }
    open.rollback().await.unwrap();
    tables.drop().await;
}
