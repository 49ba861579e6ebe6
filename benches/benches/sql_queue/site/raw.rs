//! Statements of the measurement's own, whatever the database.

use std::any::Any;

use sqlx::{AssertSqlSafe, Connection, Executor, MySqlPool, PgPool, SqlitePool};

/// A pool of one of the databases.
#[derive(Clone)]
pub(super) enum Raw {
    Sqlite(SqlitePool),
    Postgres(PgPool),
    MySql(MySqlPool),
}

impl Raw {
    pub(super) async fn run(&self, sql: String) -> anyhow::Result<()> {
        let sql = AssertSqlSafe(sql);
        match self {
            Self::Sqlite(pool) => pool.execute(sql).await.map(|_| ())?,
            Self::Postgres(pool) => pool.execute(sql).await.map(|_| ())?,
            Self::MySql(pool) => pool.execute(sql).await.map(|_| ())?,
        }
        Ok(())
    }

    /// Stores copies of so many messages.
    pub(super) async fn copy_messages(&self, prefix: &str, count: u64) -> anyhow::Result<()> {
        let times = match self {
            Self::Postgres(_) => "visible_at, sent_at",
            Self::Sqlite(_) | Self::MySql(_) => "visible_us, sent_us",
        };
        let columns = format!("queue_id, {times}, message_id, body");
        let table = format!("{prefix}message");
        self.run(format!("INSERT INTO {table} ({columns}) SELECT {columns} FROM {table} LIMIT {count}")).await
    }

    /// Lets the planner know how much is there, as the server would do by itself before long.
    pub(super) async fn analyze(&self, prefix: &str) -> anyhow::Result<()> {
        match self {
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(_) => self.run(format!("VACUUM ANALYZE {prefix}message")).await,
            Self::MySql(_) => self.run(format!("ANALYZE TABLE {prefix}message")).await,
        }
    }

    /// Opens a snapshot in a session of its own.
    pub(super) async fn hold_snapshot(&self, prefix: &str) -> anyhow::Result<Box<dyn Any + Send>> {
        let look = AssertSqlSafe(format!("SELECT count(*) FROM {prefix}message"));
        match self {
            Self::Sqlite(pool) => {
                let mut session = sqlx::SqliteConnection::connect_with(&pool.connect_options()).await?;
                session.execute("BEGIN").await?;
                session.execute(look).await?;
                Ok(Box::new(session))
            }
            Self::Postgres(pool) => {
                let mut session = sqlx::PgConnection::connect_with(&pool.connect_options()).await?;
                session.execute("BEGIN ISOLATION LEVEL REPEATABLE READ").await?;
                session.execute(look).await?;
                Ok(Box::new(session))
            }
            Self::MySql(pool) => {
                let mut session = sqlx::MySqlConnection::connect_with(&pool.connect_options()).await?;
                session.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT").await?;
                session.execute(look).await?;
                Ok(Box::new(session))
            }
        }
    }
}
