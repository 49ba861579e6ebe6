//! Misses: never false, and nothing is written.

use sqlx::{MySql, Postgres, Row, Sqlite, query};

use crate::support::{Db, Probe, is_full, mysql, on_each, postgres, run, sqlite, take};

/// The slots that a key has are counted by the statement that misses, whatever its callers' maxima are.
async fn slots_are_made_as_they_are_needed<D: Probe>(db: &Db<D>) {
    let mut permits = Vec::new();
    for maximum in [1, 3, 40, 100] {
        while permits.len() < maximum {
            permits.push(take(&db.semaphore, "k", u32::try_from(maximum).unwrap()).await);
        }
        is_full(&db.semaphore, "k", u32::try_from(maximum).unwrap()).await;
        is_full(&db.semaphore, "k", 1).await;
    }
    let slots: std::collections::HashSet<_> = permits.iter().map(|permit| permit.token().slot()).collect();
    assert_eq!(slots.len(), 100);
    assert!(
        D::number(db, "SELECT count(*) FROM sem_slot").await <= 128,
        "slots are doubled, not made all at once"
    );
}

/// A large maximum of which little is used costs little.
async fn a_large_maximum_makes_few_slots<D: Probe>(db: &Db<D>) {
    let permit = take(&db.semaphore, "k", 65_535).await;
    assert!(D::number(db, "SELECT count(*) FROM sem_slot").await <= 16);
    permit.release().await.unwrap();
}

on_each! {
    // S2, S11
    slots_are_made_as_they_are_needed
    // S2, S13
    a_large_maximum_makes_few_slots
}

const MISSES: u32 = 200;

async fn miss<D: Probe>(db: &Db<D>) {
    for _ in 0..MISSES {
        is_full(&db.semaphore, "k", 3).await;
    }
}

async fn fill<D: Probe>(db: &Db<D>) -> Vec<semaphore::Permit> {
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(take(&db.semaphore, "k", 3).await);
    }
    held
}

// S2, TS3, B6
#[test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
fn a_miss_writes_nothing_on_postgres() {
    run(async {
        let db = postgres().await;
        let _held = fill(&db).await;
        let before = versions_on_postgres(&db).await;
        miss(&db).await;
        assert_eq!(versions_on_postgres(&db).await, before, "no row has a new version or a new lock");
    });
}

/// Where each row is, who wrote it and who locked it last: every write and every row lock changes one of them.
async fn versions_on_postgres(db: &Db<Postgres>) -> Vec<String> {
    let sql = format!(
        "SELECT concat_ws(' ', slot, ctid, xmin, xmax) AS version FROM {}slot ORDER BY slot",
        db.prefix
    );
    let sql = sqlx::AssertSqlSafe(sql);
    let rows = query(sql).fetch_all(db.semaphore.pool()).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

// S2, TS3, B6
#[test]
#[ignore = "needs MariaDB: cargo xtask test"]
fn a_miss_writes_nothing_on_mysql() {
    run(async {
        let db = mysql().await;
        let _held = fill(&db).await;
        let before = rows_changed_on_mysql(&db).await;
        miss(&db).await;
        assert_eq!(rows_changed_on_mysql(&db).await, before);
        let permit = take(&db.semaphore, "other", 1).await;
        permit.release().await.unwrap();
        assert_ne!(rows_changed_on_mysql(&db).await, before, "what is written is seen");
    });
}

/// When the table was last written.
async fn rows_changed_on_mysql(db: &Db<MySql>) -> Vec<u8> {
    let sql = format!("CHECKSUM TABLE {}slot", db.prefix);
    let row = query(sqlx::AssertSqlSafe(sql)).fetch_one(db.semaphore.pool()).await.unwrap();
    row.get::<i64, _>(1).to_le_bytes().to_vec()
}

// S2, TS3, B6
#[test]
fn a_miss_writes_nothing_on_sqlite() {
    run(async {
        let db = sqlite().await;
        let _held = fill(&db).await;
        let before = pages_on_sqlite(&db).await;
        miss(&db).await;
        assert_eq!(pages_on_sqlite(&db).await, before, "the log has no new page");
        drop(take(&db.semaphore, "other", 1).await);
        assert_ne!(pages_on_sqlite(&db).await, before, "what is written is seen");
    });
}

/// How many pages the write-ahead log has.
async fn pages_on_sqlite(db: &Db<Sqlite>) -> i64 {
    query("PRAGMA wal_checkpoint(PASSIVE)").fetch_one(db.semaphore.pool()).await.unwrap().get(1)
}
