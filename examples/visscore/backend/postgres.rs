//! Queues on a PostgreSQL server.

#[cfg(feature = "sqs")]
use std::sync::Arc;

use anyhow::Context;
use queue_sql::PgDatabase;
use semaphore::PgSemaphore;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sqlx::{Connection, PgPool};

use super::Backend;
use super::sql::{SqlBackend, plain};
#[cfg(feature = "sqs")]
use crate::company::Registry;

/// How many connections a run takes at most.
const CONNECTIONS: u32 = 16;

/// Connects to the server.
pub(super) async fn open(url: &str) -> anyhow::Result<Box<dyn Backend>> {
    let pool = connect(url).await?;
    let semaphore = PgSemaphore::new(pool.clone());
    semaphore.migrate().await?;
    Ok(Box::new(SqlBackend::open(PgDatabase::new(pool), semaphore, Box::new(())).await?))
}

/// Connects to the server for its semaphore alone.
#[cfg(feature = "sqs")]
pub(super) async fn registry(url: &str) -> anyhow::Result<Arc<dyn Registry>> {
    let semaphore = PgSemaphore::new(connect(url).await?);
    semaphore.migrate().await?;
    Ok(Arc::new(semaphore))
}

/// The first connection is made by itself, as the pool would only say that it waited.
async fn connect(url: &str) -> anyhow::Result<PgPool> {
    let options: PgConnectOptions = url.parse().context("reading --database-url")?;
    let at = format!("connecting to {}:{}", options.get_host(), options.get_port());
    PgConnection::connect_with(&options).await.map_err(plain).context(at)?.close().await?;
    PgPoolOptions::new().max_connections(CONNECTIONS).connect_with(options).await.map_err(plain)
}
