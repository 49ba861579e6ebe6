//! Queues on a MySQL or MariaDB server.

use anyhow::Context;
use queue_sql::MySqlDatabase;
use semaphore::MySqlSemaphore;
use sqlx::mysql::MySqlPoolOptions;

use super::Backend;
use super::sql::SqlBackend;

/// How many connections a run takes at most.
const CONNECTIONS: u32 = 16;

/// Connects to the server.
pub(super) async fn open(url: &str) -> anyhow::Result<Box<dyn Backend>> {
    let connecting = MySqlPoolOptions::new().max_connections(CONNECTIONS).connect(url);
    let pool = connecting.await.context("connecting to the server of --database-url")?;
    let semaphore = MySqlSemaphore::new(pool.clone());
    semaphore.migrate().await?;
    Ok(Box::new(SqlBackend::open(MySqlDatabase::new(pool), semaphore, Box::new(())).await?))
}
