//! Collecting keys: what is made again starts above what went, in whatever order the statements come.

use std::time::Duration;

use semaphore::SqlSemaphore;
use sqlx::{AssertSqlSafe, Connection, Executor};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::support::{Db, Probe, is_full, ms, mysql, on_each, postgres, run, spawn, take};

/// Uses a key so often, and answers the last fencing number.
async fn uses<D: Probe>(semaphore: &SqlSemaphore<D>, key: &str, times: usize) -> u64 {
    let mut fence = 0;
    for _ in 0..times {
        let permit = take(semaphore, key, 1).await;
        fence = permit.fencing_token().get();
        permit.release().await.unwrap();
    }
    fence
}

async fn slots<D: Probe>(db: &Db<D>) -> i64 {
    D::number(db, "SELECT count(*) FROM sem_slot").await
}

/// Keys go as a whole, in steps; the floor has one row, however many keys there were.
async fn keys_used_once_leave_nothing<D: Probe>(db: &Db<D>) {
    for key in 0..30 {
        uses(&db.semaphore, &format!("k{key}"), 1).await;
    }
    let held = [take(&db.semaphore, "held", 5).await, take(&db.semaphore, "held", 5).await];
    held.into_iter().next().unwrap().release().await.unwrap();
    assert_eq!(db.semaphore.collect(Duration::from_mins(1), 1000).await.unwrap(), 0, "all were used lately");
    assert_eq!(db.semaphore.collect(Duration::ZERO, 10).await.unwrap(), 10);
    assert_eq!(db.semaphore.collect(Duration::ZERO, 1000).await.unwrap(), 20);
    assert!((2..=5).contains(&slots(db).await), "the key of which one slot is held is left whole");
    assert_eq!(D::number(db, "SELECT count(*) FROM sem_floor").await, 1);
}

/// A key with more slots than the limit goes all the same.
async fn a_large_key_goes_as_a_whole<D: Probe>(db: &Db<D>) {
    let mut permits = Vec::new();
    for _ in 0..20 {
        permits.push(take(&db.semaphore, "k", 20).await);
    }
    for permit in permits {
        permit.release().await.unwrap();
    }
    assert_eq!(db.semaphore.collect(Duration::ZERO, 3).await.unwrap(), 20);
    assert_eq!(slots(db).await, 0);
}

/// Also when a collector stopped between raising the floor and removing.
async fn a_floor_raised_for_nothing_does_no_harm<D: Probe>(db: &Db<D>) {
    let fence = uses(&db.semaphore, "k", 5).await;
    D::run(db, "UPDATE sem_floor SET fence = fence + 1000").await;
    assert_eq!(uses(&db.semaphore, "k", 1).await, fence + 1);
    db.semaphore.collect(Duration::ZERO, 1000).await.unwrap();
    assert!(uses(&db.semaphore, "k", 1).await > fence + 1);
}

on_each! {
    // S13, P63
    keys_used_once_leave_nothing
    // S13
    a_large_key_goes_as_a_whole
    // S3, S13
    a_floor_raised_for_nothing_does_no_harm
}

/// A collector that is held up between raising the floor and committing it.
async fn a_slot_made_while_the_floor_is_raised_waits_for_it<D: Probe>(db: &Db<D>, begin: &'static str)
where
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
{
    uses(&db.semaphore, "k", 5).await;
    let mut collector = db.semaphore.pool().acquire().await.unwrap();
    for sql in [begin, "UPDATE sem_floor SET fence = 5", "DELETE FROM sem_slot WHERE sem_key = 'k'"] {
        let sql = sql
            .replace("sem_slot", &format!("{}slot", db.prefix))
            .replace("sem_floor", &format!("{}floor", db.prefix));
        (&mut *collector).execute(AssertSqlSafe(sql)).await.unwrap();
    }
    let semaphore = db.semaphore.clone();
    let mut other: JoinHandle<u64> = spawn(async move { uses(&semaphore, "other", 1).await });
    assert!(timeout(ms(200), &mut other).await.is_err(), "it waits for the floor");
    (&mut *collector).execute("COMMIT").await.unwrap();
    assert_eq!(other.await.unwrap(), 6, "and starts above it");
    assert_eq!(uses(&db.semaphore, "k", 1).await, 6);
}

/// Somebody who has read the floor but not yet committed a slot.
async fn the_floor_is_not_raised_under_a_slot_being_made<D: Probe>(db: &Db<D>, insert: [&'static str; 2])
where
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
{
    uses(&db.semaphore, "k", 5).await;
    let mut maker = db.semaphore.pool().acquire().await.unwrap();
    for sql in insert {
        let sql = sql
            .replace("sem_slot", &format!("{}slot", db.prefix))
            .replace("sem_floor", &format!("{}floor", db.prefix));
        (&mut *maker).execute(AssertSqlSafe(sql)).await.unwrap();
    }
    let semaphore = db.semaphore.clone();
    let mut collected = spawn(async move { semaphore.collect(Duration::ZERO, 1000).await.unwrap() });
    assert!(timeout(ms(200), &mut collected).await.is_err(), "it waits for the slot");
    assert_eq!(slots(db).await, 1, "nothing is removed meanwhile");
    (&mut *maker).execute("COMMIT").await.unwrap();
    collected.await.unwrap();
    assert!(uses(&db.semaphore, "k", 1).await > 5);
}

// S3, S13
#[test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
fn a_slot_made_while_the_floor_is_raised_waits_for_it_on_postgres() {
    run(async { a_slot_made_while_the_floor_is_raised_waits_for_it(&postgres().await, "BEGIN").await });
}

// S3, S13
#[test]
#[ignore = "needs MariaDB: cargo xtask test"]
fn a_slot_made_while_the_floor_is_raised_waits_for_it_on_mysql() {
    run(async { a_slot_made_while_the_floor_is_raised_waits_for_it(&mysql().await, "BEGIN").await });
}

// S3, S13
#[test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
fn the_floor_is_not_raised_under_a_slot_being_made_on_postgres() {
    let making = "WITH floor AS MATERIALIZED (SELECT fence FROM sem_floor WHERE id = 1 FOR SHARE) \
        INSERT INTO sem_slot (sem_key, slot, expires_at, fence) SELECT 'new', 0, now(), fence FROM floor";
    run(async {
        the_floor_is_not_raised_under_a_slot_being_made(&postgres().await, ["BEGIN", making]).await;
    });
}

// S3, S13
#[test]
#[ignore = "needs MariaDB: cargo xtask test"]
fn the_floor_is_not_raised_under_a_slot_being_made_on_mysql() {
    let making = "INSERT IGNORE INTO sem_slot (sem_key, slot, expires_us, fence) \
        SELECT 'new', 0, 0, fence FROM sem_floor WHERE id = 1 LOCK IN SHARE MODE";
    run(async { the_floor_is_not_raised_under_a_slot_being_made(&mysql().await, ["BEGIN", making]).await });
}

// S1, S13: a row that is being worked on is not idle, and is not waited for.
#[test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
fn a_locked_slot_is_left_alone() {
    run(async {
        let db = postgres().await;
        uses(&db.semaphore, "locked", 1).await;
        uses(&db.semaphore, "free", 1).await;
        let mut connection = db.semaphore.pool().acquire().await.unwrap();
        let mut open = connection.begin().await.unwrap();
        let lock = format!("SELECT 1 FROM {}slot WHERE sem_key = 'locked' FOR UPDATE", db.prefix);
        open.execute(AssertSqlSafe(lock)).await.unwrap();
        assert_eq!(db.semaphore.collect(Duration::ZERO, 1000).await.unwrap(), 1);
        is_full(&db.semaphore, "locked", 1).await; // TS9: nor is its lock waited for
        open.rollback().await.unwrap();
        let permit = take(&db.semaphore, "locked", 1).await;
        is_full(&db.semaphore, "locked", 1).await;
        permit.release().await.unwrap();
        sleep(ms(1)).await;
        assert_eq!(db.semaphore.collect(Duration::ZERO, 1000).await.unwrap(), 1);
    });
}
