//! Queues on a PostgreSQL server.

use anyhow::Context;
use queue_sql::PgDatabase;
use semaphore::PgSemaphore;
use sqlx::postgres::PgPoolOptions;

use super::Backend;
use super::sql::SqlBackend;

/// How many connections a run takes at most.
const CONNECTIONS: u32 = 16;

/// Connects to the server.
pub(super) async fn open(url: &str) -> anyhow::Result<Box<dyn Backend>> {
    let connecting = PgPoolOptions::new().max_connections(CONNECTIONS).connect(url);
    let pool = connecting.await.context("connecting to the server of --database-url")?;
    let semaphore = PgSemaphore::new(pool.clone());
    semaphore.migrate().await?;
    Ok(Box::new(SqlBackend::open(PgDatabase::new(pool), semaphore, Box::new(())).await?))
}
