//! Queues in a SQLite file.

use std::path::Path;

use anyhow::Context;
use queue_sql::SqliteDatabase;
use semaphore::SqliteSemaphore;

use super::Backend;
use super::sql::SqlBackend;

/// Opens a file, or one in a temporary directory of its own.
pub(super) async fn open(path: Option<&Path>) -> anyhow::Result<Box<dyn Backend>> {
    let Some(path) = path else {
        let directory = tempfile::tempdir().context("a temporary directory for the queues")?;
        let backend = backend(&directory.path().join("visscore.db")).await?;
        return Ok(Box::new(backend.keeping(directory)));
    };
    Ok(Box::new(backend(path).await?))
}

async fn backend(
    path: &Path,
) -> anyhow::Result<SqlBackend<impl queue_sql::SqlStore + use<>, SqliteSemaphore>> {
    let database = SqliteDatabase::open(path).await?;
    let semaphore = SqliteSemaphore::open(path).await?;
    semaphore.migrate().await?;
    SqlBackend::open(database, semaphore).await
}
