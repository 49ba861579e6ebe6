//! The mode in which statements are sent: bare, or each in a transaction of its own.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, Connection, Postgres, Transaction};
use tokio::time::Instant;

use super::errors::{SERIALIZATION_FAILURE, is};

/// A statement with what it is given.
pub(super) type Statement = Query<'static, Postgres, PgArguments>;

/// A pool's default may be another level, under which what others committed is an error.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";

/// How statements are sent.
///
/// A bare statement is one round trip, and its isolation level is the session's default. It is put in a transaction of READ
/// COMMITTED once that default has shown to be another, or when statements are not prepared: parsing and running an
/// unnamed statement are two messages, which have to reach the same server through a pooling proxy.
#[derive(Debug)]
pub(super) struct Mode {
    prepared: bool,
    wrapped: AtomicBool,
    /// How often statements were planned anew, and when that was last.
    plans: AtomicU64,
    planned: Mutex<Instant>,
}

/// A statement that takes as long may have a plan from when its tables were small: servers notice within minutes.
const SLOW: Duration = Duration::from_millis(20);
/// How often statements are planned anew at most.
const PLAN_INTERVAL: Duration = Duration::from_secs(5);

impl Mode {
    pub(super) fn new(prepared: bool) -> Self {
        let planned = Mutex::new(Instant::now());
        Self { prepared, wrapped: AtomicBool::new(!prepared), plans: AtomicU64::new(0), planned }
    }

    /// A statement, to be bound.
    pub(super) fn query(&self, sql: &Arc<str>) -> Statement {
        let sql = match self.plans.load(Ordering::Relaxed) {
            0 => Arc::clone(sql),
            plan => Arc::from(format!("{sql} -- {plan}")),
        };
        sqlx::query(AssertSqlSafe(sql)).persistent(self.prepared)
    }

    /// A statement that is rare: it is planned anew each time, for the tables as they are. One that is prepared may keep the
    /// plan of the time when they were small.
    pub(super) fn once(&self, sql: &Arc<str>) -> Statement {
        self.query(sql).persistent(false)
    }

    /// Runs a statement that is a transaction by itself.
    pub(super) async fn rows(
        &self,
        connection: &mut PgConnection,
        statement: Statement,
    ) -> Result<Vec<PgRow>, sqlx::Error> {
        if self.wrapped.load(Ordering::Relaxed) {
            let mut transaction = begin(connection).await?;
            let rows = statement.fetch_all(&mut *transaction).await?;
            transaction.commit().await?;
            return Ok(rows);
        }
        let started = Instant::now();
        let rows = statement.fetch_all(connection).await;
        self.heed(&rows, started);
        rows
    }

    /// The same for one that answers nothing: how many rows it touched.
    pub(super) async fn affected(
        &self,
        connection: &mut PgConnection,
        statement: Statement,
    ) -> Result<u64, sqlx::Error> {
        if self.wrapped.load(Ordering::Relaxed) {
            let mut transaction = begin(connection).await?;
            let done = statement.execute(&mut *transaction).await?;
            transaction.commit().await?;
            return Ok(done.rows_affected());
        }
        let started = Instant::now();
        let done = statement.execute(connection).await;
        self.heed(&done, started);
        Ok(done?.rows_affected())
    }

    fn heed<T>(&self, outcome: &Result<T, sqlx::Error>, started: Instant) {
        let now = Instant::now();
        if now - started >= SLOW {
            let mut planned = self.planned.lock().unwrap_or_else(PoisonError::into_inner);
            if now - *planned >= PLAN_INTERVAL {
                *planned = now;
                self.plans.fetch_add(1, Ordering::Relaxed);
            }
        }
        if outcome.as_ref().is_err_and(|error| is(error, SERIALIZATION_FAILURE)) {
            self.wrapped.store(true, Ordering::Relaxed);
        }
    }
}

/// Begins a transaction in which every statement sees what was committed before it.
pub(super) async fn begin(connection: &mut PgConnection) -> Result<Transaction<'_, Postgres>, sqlx::Error> {
    connection.begin_with(BEGIN).await
}
