//! The queues in SQL databases.

use std::sync::Arc;
use std::time::Duration;

use queue_core::Queue;
use queue_sql::{MySqlDatabase, PgDatabase, SqlDatabase, SqlStore, SqliteDatabase};
use sqlx::mysql::MySqlPoolOptions;
use sqlx::postgres::PgPoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};

use super::{Place, Queues};
use crate::Failure;

/// How many connections a member has: one that waits for messages, others to settle and to renew meanwhile.
const CONNECTIONS: u32 = 4;

impl Queues {
    /// Makes or opens the queues of a database; any number of processes may do it at once.
    pub(super) async fn in_sql(place: &Place, visibility: Duration) -> Result<Self, Failure> {
        match place {
            Place::Memory | Place::Sqs { .. } => Err("it is no database".into()),
            Place::Sqlite { file } => {
                let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
                let options = options.journal_mode(SqliteJournalMode::Wal);
                let pool = SqlitePoolOptions::new().max_connections(CONNECTIONS).connect_lazy_with(options);
                Self::of_database(&SqliteDatabase::builder(pool).build()?, visibility).await
            }
            Place::Postgres { url, prefix } => {
                let pool = PgPoolOptions::new().max_connections(CONNECTIONS).connect_lazy(url)?;
                Self::of_database(&PgDatabase::builder(pool).prefix(prefix).build()?, visibility).await
            }
            Place::Mysql { url, prefix } => {
                let pool = MySqlPoolOptions::new().max_connections(CONNECTIONS).connect_lazy(url)?;
                Self::of_database(&MySqlDatabase::builder(pool).prefix(prefix).build()?, visibility).await
            }
        }
    }

    async fn of_database<S: SqlStore>(
        database: &SqlDatabase<S>,
        visibility: Duration,
    ) -> Result<Self, Failure> {
        database.migrate().await?;
        let standard: Arc<dyn Queue> =
            Arc::new(database.queue("standard").visibility(visibility).build().await?);
        let ordered = database.queue("ordered").visibility(visibility).ordered().build().await?;
        Ok(Self { standard, ordered: Arc::new(ordered) })
    }
}
