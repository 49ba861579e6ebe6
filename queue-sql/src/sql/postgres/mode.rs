//! The mode in which statements are sent: bare, or each in a transaction of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, Connection, Postgres, Transaction};

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
}

impl Mode {
    pub(super) fn new(prepared: bool) -> Self {
        Self { prepared, wrapped: AtomicBool::new(!prepared) }
    }

    /// A statement, to be bound.
    pub(super) fn query(&self, sql: &Arc<str>) -> Statement {
        sqlx::query(AssertSqlSafe(Arc::clone(sql))).persistent(self.prepared)
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
        let rows = statement.fetch_all(connection).await;
        self.heed(&rows);
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
        let done = statement.execute(connection).await;
        self.heed(&done);
        Ok(done?.rows_affected())
    }

    fn heed<T>(&self, outcome: &Result<T, sqlx::Error>) {
        if outcome.as_ref().is_err_and(|error| is(error, SERIALIZATION_FAILURE)) {
            self.wrapped.store(true, Ordering::Relaxed);
        }
    }
}

/// Begins a transaction in which every statement sees what was committed before it.
pub(super) async fn begin(connection: &mut PgConnection) -> Result<Transaction<'_, Postgres>, sqlx::Error> {
    connection.begin_with(BEGIN).await
}
