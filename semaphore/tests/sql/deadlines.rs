//! Deadlines and dropped calls: none leaves a connection in the middle of something.

use std::time::Duration;

use semaphore::{Dialect, Holders, MySqlSemaphore, PgSemaphore, Semaphore, SemaphoreErrorKind, SqlSemaphore};
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep, timeout};

use crate::support::{Db, Probe, ask, ms, on_each, postgres, run, take, url};

/// Calls that are dropped at any moment.
async fn a_dropped_call_leaves_no_odd_connection<D: Probe>(db: &Db<D>) {
    let semaphore = db.semaphore.clone();
    for round in 0..120 {
        let wait = Duration::from_micros(round * 25);
        let request =
            semaphore::PermitRequest::new("dropped", semaphore::max(500), semaphore::lease(ms(100)));
        drop(timeout(wait, semaphore.try_acquire(request)).await);
    }
    for round in 0..40 {
        let permit = take(&semaphore, &format!("held{round}"), 1).await;
        drop(timeout(Duration::from_micros(round * 50), permit.release()).await);
    }
    for _ in 0..40 {
        let fence = take(&semaphore, "after", 1).await;
        fence.release().await.unwrap();
    }
    sleep(ms(150)).await;
    let free = semaphore.holders(semaphore::SemaphoreKey::new("dropped").unwrap()).await.unwrap();
    assert!(free.is_empty(), "S10: {free:?}");
}

/// All connections are lent to others.
async fn a_pool_that_is_used_up_is_transient<D: Dialect>(db: &Db<D>) {
    let semaphore = db.semaphore.clone().with_deadline(ms(100));
    let mut lent = Vec::new();
    while lent.len() < usize::try_from(semaphore.pool().options().get_max_connections()).unwrap() {
        lent.push(semaphore.pool().acquire().await.unwrap());
    }
    let error = semaphore.try_acquire(ask("k", 1)).await.unwrap_err();
    assert_eq!(error.kind(), SemaphoreErrorKind::Transient, "{error}");
}

/// It says so, and does not look like a miss or like a fault that passes.
async fn a_closed_pool_says_so<D: Dialect>(db: &Db<D>) {
    db.semaphore.pool().close().await;
    let error = db.semaphore.try_acquire(ask("k", 1)).await.unwrap_err();
    assert_eq!(error.kind(), SemaphoreErrorKind::Closed, "{error}");
}

on_each! {
    // S10, P65
    a_dropped_call_leaves_no_odd_connection
    a_pool_that_is_used_up_is_transient
    a_closed_pool_says_so
}

/// Takes connections and never answers.
async fn silent_server() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

async fn ends_by_its_deadline<D: Dialect>(semaphore: SqlSemaphore<D>) {
    let started = Instant::now();
    let error = semaphore.with_deadline(ms(150)).try_acquire(ask("k", 1)).await.unwrap_err();
    assert_eq!(error.kind(), SemaphoreErrorKind::Transient, "nothing was sent: {error}");
    assert!(started.elapsed() < ms(5000));
}

// S10
#[test]
fn a_server_that_never_answers_is_given_up_at_the_deadline() {
    run(async {
        let (_listener, port) = silent_server().await;
        let options = PgConnectOptions::new().host("127.0.0.1").port(port);
        ends_by_its_deadline(PgSemaphore::new(PgPoolOptions::new().connect_lazy_with(options))).await;
        let options = MySqlConnectOptions::new().host("127.0.0.1").port(port);
        ends_by_its_deadline(MySqlSemaphore::new(MySqlPoolOptions::new().connect_lazy_with(options))).await;
    });
}

// S10: a statement that hangs is indeterminate, and its connection is thrown away.
#[test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
fn a_statement_that_hangs_is_indeterminate_and_costs_its_connection() {
    run(async {
        let db = postgres().await;
        let permit = take(&db.semaphore, "k", 1).await;
        let locker = PgPoolOptions::new().max_connections(1).connect(&url("POSTGRES_URL")).await.unwrap();
        let mut open = locker.begin().await.unwrap();
        let lock = format!("LOCK TABLE {}slot IN ACCESS EXCLUSIVE MODE", db.prefix);
        sqlx::query(sqlx::AssertSqlSafe(lock)).execute(&mut *open).await.unwrap();
        let hasty = db.semaphore.clone().with_deadline(ms(200));
        let error = hasty.try_acquire(ask("k", 1)).await.unwrap_err();
        assert_eq!(error.kind(), SemaphoreErrorKind::Indeterminate, "{error}");
        for _ in 0..10 {
            let error = hasty.try_acquire(ask("k", 1)).await.unwrap_err();
            assert!(error.kind().is_passing(), "{error}"); // to connect anew may take longer than that
        }
        open.rollback().await.unwrap();
        permit.release().await.unwrap();
        take(&hasty.with_deadline(ms(5000)), "k", 1).await.release().await.unwrap();
    });
}
