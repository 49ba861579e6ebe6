//! Queues in a SQLite file.

use std::path::Path;

use anyhow::Context;
use queue_sql::SqliteDatabase;
use semaphore::SqliteSemaphore;

use super::Backend;
use super::sql::{Kept, SqlBackend};

/// Opens a file, or one in a temporary directory of its own.
pub(super) async fn open(path: Option<&Path>) -> anyhow::Result<Box<dyn Backend>> {
    let Some(path) = path else {
        let directory = tempfile::tempdir().context("a temporary directory for the queues")?;
        let path = directory.path().join("visscore.db");
        return backend(&path, Box::new(directory)).await;
    };
    backend(path, Box::new(())).await
}

async fn backend(path: &Path, kept: Kept) -> anyhow::Result<Box<dyn Backend>> {
    let database = SqliteDatabase::open(path).await?;
    let semaphore = SqliteSemaphore::open(path).await?;
    semaphore.migrate().await?;
    Ok(Box::new(SqlBackend::open(database, semaphore, kept).await?))
}
