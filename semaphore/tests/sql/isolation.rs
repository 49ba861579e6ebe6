//! Isolation: whatever level, transaction or time zone the caller's sessions have.

use futures::future::join_all;
use semaphore::{Dialect, PermitRequest, Semaphore, SqlSemaphore, lease, max};
use sqlx::mysql::MySqlPoolOptions;
use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, Executor, query};
use tokio::time::sleep;

use crate::support::{
    Db, Probe, is_full, ms, mysql, mysql_with, on_each, pool_of, postgres, postgres_with, run, spawn, take,
};

/// 32 clients on 5 keys, a collector beside them: no error reaches any.
async fn thirty_two_clients_see_no_deadlock<D: Dialect>(db: &Db<D>) {
    let collector = db.semaphore.clone();
    let collecting = async move {
        for _ in 0..40 {
            collector.collect(ms(0), 3).await.unwrap();
            sleep(ms(5)).await;
        }
    };
    let clients = (0..32).map(|client| spawn(uses_all_keys(db.semaphore.clone(), client)));
    let (clients, ()) = tokio::join!(join_all(clients), collecting);
    let hits: usize = clients.into_iter().map(Result::unwrap).sum();
    assert!(hits > 32, "{hits}");
}

async fn uses_all_keys<D: Dialect>(semaphore: SqlSemaphore<D>, client: usize) -> usize {
    let mut hits = 0;
    for round in 0..20 {
        let key = format!("k{}", (client + round) % 5);
        let request = PermitRequest::new(key, max(4), lease(ms(60_000)));
        if let Some(permit) = semaphore.try_acquire(request).await.unwrap() {
            hits += 1;
            permit.release().await.unwrap();
        }
    }
    hits
}

/// The caller has a transaction open that has read the table.
async fn a_permit_is_outside_the_callers_transaction<D: Probe>(db: &Db<D>)
where
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
{
    take(&db.semaphore, "k", 2).await.release().await.unwrap();
    let mut open = pool_of(db).begin().await.unwrap();
    let read = format!("SELECT count(*) FROM {}slot", db.prefix);
    (&mut *open).execute(AssertSqlSafe(read)).await.unwrap();
    let permits = [take(&db.semaphore, "k", 2).await, take(&db.semaphore, "k", 2).await];
    is_full(&db.semaphore, "k", 2).await;
    open.rollback().await.unwrap();
    is_full(&db.semaphore, "k", 2).await;
    for permit in permits {
        permit.release().await.unwrap();
    }
}

on_each! {
    // S15, P58, TS11
    thirty_two_clients_see_no_deadlock
    // S14, TS10
    a_permit_is_outside_the_callers_transaction
}

// S15, TS14
#[test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
fn stricter_defaults_of_the_pool_are_met_on_postgres() {
    for level in ["repeatable read", "serializable"] {
        run(async {
            let set = format!("SET default_transaction_isolation = '{level}'");
            let options = PgPoolOptions::new().max_connections(16).after_connect(move |connection, _| {
                let set = set.clone();
                Box::pin(async move { connection.execute(AssertSqlSafe(set)).await.map(drop) })
            });
            thirty_two_clients_see_no_deadlock(&postgres_with(options).await).await;
        });
    }
}

// S15, TS14
#[test]
#[ignore = "needs MariaDB: cargo xtask test"]
fn other_defaults_of_the_pool_are_met_on_mysql() {
    for level in ["READ COMMITTED", "SERIALIZABLE"] {
        run(async {
            let set = format!("SET SESSION TRANSACTION ISOLATION LEVEL {level}");
            let options = MySqlPoolOptions::new().max_connections(16).after_connect(move |connection, _| {
                let set = set.clone();
                Box::pin(async move { connection.execute(AssertSqlSafe(set)).await.map(drop) })
            });
            thirty_two_clients_see_no_deadlock(&mysql_with(options).await).await;
        });
    }
}

/// The same tables through sessions of another time zone.
async fn elsewhere(db: &Db<sqlx::MySql>, zone: &'static str) -> semaphore::MySqlSemaphore {
    let options = MySqlPoolOptions::new().max_connections(2).after_connect(move |connection, _| {
        Box::pin(async move { query("SET time_zone = ?").bind(zone).execute(connection).await.map(drop) })
    });
    let pool = options.connect(&crate::support::url("MYSQL_URL")).await.unwrap();
    semaphore::MySqlSemaphore::new(pool).with_prefix(&db.prefix).with_shortest_lease(ms(20))
}

// S7, TS12
#[test]
#[ignore = "needs MariaDB: cargo xtask test"]
fn a_sessions_time_zone_moves_no_lease() {
    run(async {
        let db = mysql().await;
        let (east, west) = (elsewhere(&db, "+02:00").await, elsewhere(&db, "-07:00").await);
        let request = || PermitRequest::new("k", max(1), lease(ms(1000)));
        for (holder, other) in [(&east, &west), (&west, &db.semaphore), (&db.semaphore, &east)] {
            let permit = holder.try_acquire(request()).await.unwrap().expect("free");
            drop(permit);
            is_full(other, "k", 1).await;
            sleep(ms(1050)).await;
            other.try_acquire(request()).await.unwrap().expect("it has run out").release().await.unwrap();
        }
    });
}

// S7, TS12
#[test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
fn a_sessions_time_zone_moves_no_lease_on_postgres() {
    run(async {
        let db = postgres().await;
        let options = PgPoolOptions::new().after_connect(|connection, _| {
            Box::pin(async move { connection.execute("SET TIME ZONE 'Asia/Tokyo'").await.map(drop) })
        });
        let pool = options.connect(&crate::support::url("POSTGRES_URL")).await.unwrap();
        let east = semaphore::PgSemaphore::new(pool).with_prefix(&db.prefix);
        let permit = take(&east, "k", 1).await;
        is_full(&db.semaphore, "k", 1).await;
        permit.release().await.unwrap();
        take(&db.semaphore, "k", 1).await.release().await.unwrap();
    });
}
