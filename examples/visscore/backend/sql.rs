//! Queues in a SQL database, whichever it is.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use queue_core::QueueName;
use queue_sql::{SqlDatabase, SqlQueue, SqlStore};
use semaphore::{Holders, Semaphore};

use super::kind::QUARANTINE;
use super::{Backend, Place, RECEIVES, VISIBILITY};
use crate::company::Registry;

/// What has to live as long as a database, such as its temporary directory.
pub(super) type Kept = Box<dyn Any + Send + Sync>;

/// What the server said, once: the driver's own words repeat it.
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(super) fn plain(error: sqlx::Error) -> anyhow::Error {
    match error {
        sqlx::Error::Database(answer) => anyhow::anyhow!("{}", answer.message()),
        sqlx::Error::Io(error) => error.into(),
        other => other.into(),
    }
}

/// Makes queues of one database.
pub(super) struct SqlBackend<S: SqlStore, P> {
    database: SqlDatabase<S>,
    quarantine: SqlQueue<S>,
    semaphore: Arc<P>,
    _kept: Kept,
}

impl<S: SqlStore, P: Semaphore + Holders> SqlBackend<S, P> {
    /// Makes the tables, where they are missing, and the quarantine. `kept` lives as long as the backend.
    pub(super) async fn open(database: SqlDatabase<S>, semaphore: P, kept: Kept) -> anyhow::Result<Self> {
        database.migrate().await?;
        let quarantine = database.queue(QUARANTINE).build().await?;
        Ok(Self { database, quarantine, semaphore: Arc::new(semaphore), _kept: kept })
    }
}

#[async_trait]
impl<S: SqlStore, P: Semaphore + Holders + 'static> Backend for SqlBackend<S, P> {
    async fn queue(&self, name: &QueueName) -> anyhow::Result<Place> {
        let queue = self.database.queue(name.to_string()).visibility(VISIBILITY);
        Ok(Place::new(name.to_string(), queue.dead_letter(&self.quarantine, RECEIVES).build().await?))
    }

    fn quarantine(&self) -> Place {
        Place::new(QUARANTINE, self.quarantine.clone())
    }

    fn registry(&self) -> Arc<dyn Registry> {
        Arc::clone(&self.semaphore) as Arc<dyn Registry>
    }
}

impl<S: SqlStore, P> fmt::Debug for SqlBackend<S, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqlBackend").field("database", &self.database).finish_non_exhaustive()
    }
}
