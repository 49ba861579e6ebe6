//! Queues on a MySQL or MariaDB server.

#[cfg(feature = "sqs")]
use std::sync::Arc;

use anyhow::Context;
use queue_sql::MySqlDatabase;
use semaphore::MySqlSemaphore;
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlPoolOptions};
use sqlx::{Connection, MySqlPool};

use super::Backend;
use super::sql::{SqlBackend, plain};
#[cfg(feature = "sqs")]
use crate::company::Registry;

/// How many connections a run takes at most.
const CONNECTIONS: u32 = 16;

/// Connects to the server.
pub(super) async fn open(url: &str) -> anyhow::Result<Box<dyn Backend>> {
    let pool = connect(url).await?;
    let semaphore = MySqlSemaphore::new(pool.clone());
    semaphore.migrate().await?;
    Ok(Box::new(SqlBackend::open(MySqlDatabase::new(pool), semaphore, Box::new(())).await?))
}

/// Connects to the server for its semaphore alone.
#[cfg(feature = "sqs")]
pub(super) async fn registry(url: &str) -> anyhow::Result<Arc<dyn Registry>> {
    let semaphore = MySqlSemaphore::new(connect(url).await?);
    semaphore.migrate().await?;
    Ok(Arc::new(semaphore))
}

/// The first connection is made by itself, as the pool would only say that it waited.
async fn connect(url: &str) -> anyhow::Result<MySqlPool> {
    let options: MySqlConnectOptions = url.parse().context("reading --database-url")?;
    let at = format!("connecting to {}:{}", options.get_host(), options.get_port());
    MySqlConnection::connect_with(&options).await.map_err(plain).context(at)?.close().await?;
    MySqlPoolOptions::new().max_connections(CONNECTIONS).connect_with(options).await.map_err(plain)
}
