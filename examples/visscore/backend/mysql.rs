//! Queues on a MySQL or MariaDB server.

use anyhow::Context;
use queue_sql::MySqlDatabase;
use semaphore::MySqlSemaphore;
use sqlx::Connection;
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlPoolOptions};

use super::Backend;
use super::sql::{SqlBackend, plain};

/// How many connections a run takes at most.
const CONNECTIONS: u32 = 16;

/// Connects to the server. The first connection is made by itself, as the pool would only say that it waited.
pub(super) async fn open(url: &str) -> anyhow::Result<Box<dyn Backend>> {
    let options: MySqlConnectOptions = url.parse().context("reading --database-url")?;
    let at = format!("connecting to {}:{}", options.get_host(), options.get_port());
    MySqlConnection::connect_with(&options).await.map_err(plain).context(at)?.close().await?;
    let pool =
        MySqlPoolOptions::new().max_connections(CONNECTIONS).connect_with(options).await.map_err(plain)?;
    let semaphore = MySqlSemaphore::new(pool.clone());
    semaphore.migrate().await?;
    Ok(Box::new(SqlBackend::open(MySqlDatabase::new(pool), semaphore, Box::new(())).await?))
}
