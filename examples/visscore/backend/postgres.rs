//! Queues on a PostgreSQL server.

use anyhow::Context;
use queue_sql::PgDatabase;
use semaphore::PgSemaphore;
use sqlx::Connection;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};

use super::Backend;
use super::sql::{SqlBackend, plain};

/// How many connections a run takes at most.
const CONNECTIONS: u32 = 16;

/// Connects to the server. The first connection is made by itself, as the pool would only say that it waited.
pub(super) async fn open(url: &str) -> anyhow::Result<Box<dyn Backend>> {
    let options: PgConnectOptions = url.parse().context("reading --database-url")?;
    let at = format!("connecting to {}:{}", options.get_host(), options.get_port());
    PgConnection::connect_with(&options).await.map_err(plain).context(at)?.close().await?;
    let pool =
        PgPoolOptions::new().max_connections(CONNECTIONS).connect_with(options).await.map_err(plain)?;
    let semaphore = PgSemaphore::new(pool.clone());
    semaphore.migrate().await?;
    Ok(Box::new(SqlBackend::open(PgDatabase::new(pool), semaphore, Box::new(())).await?))
}
