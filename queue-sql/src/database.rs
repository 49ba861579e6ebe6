//! A database with queues in it: what its queues share.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use queue_core::QueueError;
use tokio_util::task::TaskTracker;

use crate::hub::Hub;
use crate::store::Store;
use crate::upkeep::Upkeep;
use crate::watch::Watch;
use crate::{SqlDatabaseBuilder, SqlQueueBuilder};

/// A database with queues in it. Clones are the same database.
///
/// The queues of one `SqlDatabase` share their connections, and what one publishes wakes a receive of another handle at
/// once. Receives that wait look for messages of other processes together: one read per interval and process, however
/// many queues they wait at.
pub struct SqlDatabase<S: Store> {
    pub(crate) inner: Arc<Inner<S>>,
}

/// What the queues of a database share.
#[derive(Debug)]
pub(crate) struct Inner<S: Store> {
    pub(crate) store: S,
    pub(crate) poll_interval: Duration,
    pub(crate) hub: Arc<Hub>,
    pub(crate) watch: Watch,
    pub(crate) upkeep: Upkeep,
    pub(crate) tasks: TaskTracker,
}

impl<S: Store> SqlDatabase<S> {
    /// Takes a pool with the usual table names, a deadline of 10 s for each call, and a look for messages of other
    /// processes every 100 ms.
    pub fn new(source: impl Into<S::Source>) -> Self {
        SqlDatabaseBuilder::<S>::new(source.into()).unchecked()
    }

    /// Starts to set up one that differs from that.
    pub fn builder(source: impl Into<S::Source>) -> SqlDatabaseBuilder<S> {
        SqlDatabaseBuilder::new(source.into())
    }

    pub(crate) fn with_store(store: S, poll_interval: Duration) -> Self {
        let inner = Inner {
            store,
            poll_interval,
            hub: Arc::default(),
            watch: Watch::default(),
            upkeep: Upkeep::default(),
            tasks: TaskTracker::new(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Makes the tables, or brings them up to date. Any number of processes may do it at once, any number of times.
    ///
    /// # Cancel safety
    /// Safe: what was not finished is done by the next call.
    ///
    /// # Errors
    /// *Permanent*: the tables are of a later version of this crate, or may not be made. *Transient*, *indeterminate*:
    /// try again.
    pub async fn migrate(&self) -> Result<(), QueueError> {
        self.inner.store.migrate().await
    }

    /// Starts to set up the queue `name`.
    pub fn queue(&self, name: impl Into<String>) -> SqlQueueBuilder<S> {
        SqlQueueBuilder::new(self.clone(), name.into())
    }

    /// How long the oldest open transaction has been open that holds back the clean-up of what was received; `None`
    /// where the database has no such thing. Receiving slows down while it is open, so alarm on it.
    ///
    /// # Cancel safety
    /// Safe.
    ///
    /// # Errors
    /// *Transient*, *indeterminate*: try again. *Permanent*: the account may not ask.
    pub async fn oldest_transaction(&self) -> Result<Option<Duration>, QueueError> {
        self.inner.store.oldest_transaction().await
    }
}

impl<S: Store> Clone for SqlDatabase<S> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner) }
    }
}

impl<S: Store> fmt::Debug for SqlDatabase<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqlDatabase").field("store", &self.inner.store).finish_non_exhaustive()
    }
}
