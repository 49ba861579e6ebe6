//! Tests of the line: who shares a transaction, who fails, and who is skipped.

use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use futures::FutureExt;
use futures::future::join_all;
use queue_core::QueueErrorKind;
use sqlx::AssertSqlSafe;
use sqlx::sqlite::SqlitePoolOptions;

use super::super::operation::On;
use super::*;

const SOON: Duration = Duration::from_secs(5);

/// Runs a statement.
#[derive(Debug)]
struct Run {
    sql: &'static str,
    single: bool,
    begun: Arc<AtomicU32>,
}

#[async_trait]
impl Operation for Run {
    type Answer = u64;

    const WHAT: &'static str = "run";

    fn is_single(&self) -> bool {
        self.single
    }

    async fn run(&self, on: On<'_>) -> Result<u64, sqlx::Error> {
        self.begun.fetch_add(1, Ordering::Relaxed);
        Ok(sqlx::query(AssertSqlSafe(self.sql)).execute(on.connection).await?.rows_affected())
    }
}

fn run(sql: &'static str) -> Run {
    Run { sql, single: true, begun: Arc::default() }
}

const INSERT: &str = "INSERT INTO t DEFAULT VALUES";

/// A line at a table `t`, in memory.
async fn line() -> Arc<Line> {
    let pool = SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await.unwrap();
    sqlx::query("CREATE TABLE t (id INTEGER PRIMARY KEY)").execute(&pool).await.unwrap();
    Arc::new(Line::new(pool, Arc::new(Statements::new("q_")), None))
}

async fn rows(line: &Line) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM t").fetch_one(&line.pool).await.unwrap()
}

// Q6
#[tokio::test]
async fn one_that_fails_fails_alone_and_stores_nothing() {
    let line = line().await;
    let of = |n: usize| Run {
        sql: if n == 3 { "INSERT INTO t SELECT 100 UNION ALL SELECT 100" } else { INSERT },
        single: n.is_multiple_of(2),
        begun: Arc::default(),
    };
    let answers = join_all((0..8).map(|n| line.submit(of(n), SOON))).await;
    for (n, answer) in answers.into_iter().enumerate() {
        match answer {
            Ok(rows) => assert!(n != 3 && rows == 1),
            Err(error) => assert!(n == 3 && error.kind() == QueueErrorKind::Permanent, "{n}: {error}"),
        }
    }
    assert_eq!(rows(&line).await, 7);
}

#[tokio::test]
async fn more_than_one_transaction_takes_are_all_done() {
    let line = line().await;
    let count = 3 * MOST + 1;
    let answers = join_all((0..count).map(|_| line.submit(run(INSERT), SOON))).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(rows(&line).await, i64::try_from(count).unwrap());
    assert!(line.lock().entries.is_empty());
}

#[tokio::test]
async fn one_whose_caller_has_gone_before_its_turn_is_skipped() {
    let line = line().await;
    let operation = run(INSERT);
    let begun = Arc::clone(&operation.begun);
    assert!(line.submit(operation, SOON).now_or_never().is_none());
    line.submit(run(INSERT), SOON).await.unwrap();
    assert_eq!((begun.load(Ordering::Relaxed), rows(&line).await), (0, 1));
}

#[tokio::test]
async fn one_that_was_not_begun_by_its_deadline_is_transient_and_not_done() {
    let line = line().await;
    let turn = line.turn.take().await;
    let error = line.submit(run(INSERT), Duration::from_millis(50)).await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Transient);
    drop(turn);
    line.submit(run(INSERT), SOON).await.unwrap();
    assert_eq!(rows(&line).await, 1);
}

/// Nothing takes what waits, and what nobody waits for does not pile up.
#[tokio::test]
async fn the_line_keeps_no_more_than_it_must_while_the_disk_hangs() {
    let line = line().await;
    let turn = line.turn.take().await;
    for _ in 0..10 * MOST {
        assert!(line.submit(run(INSERT), SOON).now_or_never().is_none());
    }
    assert!(line.lock().entries.len() < 2 * MOST);
    drop(turn);
}

#[tokio::test]
async fn the_task_ends_when_nothing_waits_and_comes_back() {
    let line = line().await;
    for round in 1..=3 {
        line.submit(run(INSERT), SOON).await.unwrap();
        line.tasks.close();
        line.tasks.wait().await;
        assert!(!line.lock().is_served);
        line.tasks.reopen();
        assert_eq!(rows(&line).await, round);
    }
}
