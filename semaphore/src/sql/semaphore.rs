//! A semaphore in a SQL database.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlx::Pool;
use tokio::runtime::Handle;

use super::Dialect;
use super::renewals::Renewals;
use super::schema::Prefix;
use super::text::Text;
use crate::SemaphoreError;

/// The shortest lease unless another is set: below it, a slow commit or a pause of the garbage collector would end it.
const SHORTEST_LEASE: Duration = Duration::from_secs(1);
/// How long a call may take unless another time is set.
const DEADLINE: Duration = Duration::from_secs(10);

/// A semaphore in a SQL database: [`PgSemaphore`](crate::PgSemaphore), [`MySqlSemaphore`](crate::MySqlSemaphore) or
/// [`SqliteSemaphore`](crate::SqliteSemaphore), all with the same methods.
///
/// Its calls take a connection of the pool for one statement that commits by itself: one round trip to acquire, hit or
/// miss, one to release, one to renew, one to list. The very first permits of a key cost two more for each doubling of
/// the number held at once (from 16 on), when its slots are made; on SQLite they cost nothing more. They are never
/// part of a transaction of yours, take no session lock and leave no session state, so that the pool may be shared with
/// other work and may lead through a transaction-pooling proxy (S14).
///
/// sqlx asks a connection whether it lives before it lends it, which is a round trip too. A pool made with
/// `PoolOptions::test_before_acquire(false)` saves it; then the first call after the server restarted may fail with
/// an *indeterminate* error.
///
/// Clones share everything.
///
/// # Guarantees
/// S1 to S8 and S10 to S15. The database's clock decides (S7); a forward step of it, the loss of acknowledged commits in
/// a failover, or a server set not to make commits durable can let a second holder in: then only the fencing token,
/// checked by what it protects, helps.
pub struct SqlSemaphore<D: Dialect> {
    pool: Pool<D>,
    prefix: Result<Prefix, SemaphoreError>,
    text: Option<Arc<Text>>,
    prepared: bool,
    pub(super) shortest_lease: Duration,
    pub(super) deadline: Duration,
    pub(super) abandoned: Arc<AtomicU64>,
    pub(super) renewals: Option<Renewals<D>>,
}

impl<D: Dialect> SqlSemaphore<D> {
    /// Makes a semaphore of the connections of `pool`. [`migrate`](Self::migrate) makes its tables.
    pub fn new(pool: Pool<D>) -> Self {
        Self {
            pool,
            prefix: Ok(Prefix::default()),
            text: None,
            prepared: true,
            shortest_lease: SHORTEST_LEASE,
            deadline: DEADLINE,
            abandoned: Arc::default(),
            renewals: None,
        }
        .worded()
    }

    /// Names its tables with another prefix than `sem_`: 1 to 40 letters, digits and underscores, not a digit first,
    /// in lower case. Another prefix is another semaphore.
    ///
    /// A prefix that breaks the rule is told by every call, as a *permanent* error.
    #[must_use]
    pub fn with_prefix(mut self, prefix: &str) -> Self {
        self.prefix = Prefix::new(prefix);
        self.worded()
    }

    /// Takes leases from this on; 1 s otherwise. For tests.
    #[must_use]
    pub fn with_shortest_lease(mut self, shortest: Duration) -> Self {
        self.shortest_lease = shortest;
        self
    }

    /// Ends each call after so long, with the wait for a connection and all tries; 10 s otherwise.
    ///
    /// A call that ends so is *transient* if it never had a connection, and else *indeterminate*.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// How many permits were dropped without being released.
    pub fn abandoned(&self) -> u64 {
        self.abandoned.load(Ordering::Relaxed)
    }

    /// The pool.
    pub fn pool(&self) -> &Pool<D> {
        &self.pool
    }

    /// The pool to be used where this is called: renewals have one of their own on their own thread.
    pub(super) fn pool_here(&self) -> &Pool<D> {
        let Some(renewals) = &self.renewals else { return &self.pool };
        let here = Handle::try_current().map(|handle| handle.id()).ok();
        if here == Some(renewals.handle().id()) { renewals.pool() } else { &self.pool }
    }

    pub(super) fn text(&self) -> Result<&Text, SemaphoreError> {
        self.prefix()?;
        self.text.as_deref().ok_or_else(|| SemaphoreError::permanent("the statements have no table names"))
    }

    pub(super) fn prefix(&self) -> Result<&Prefix, SemaphoreError> {
        self.prefix.as_ref().map_err(Clone::clone)
    }

    /// Sets whether statements are kept prepared.
    #[cfg(feature = "postgres")]
    pub(super) fn prepared(mut self, prepared: bool) -> Self {
        self.prepared = prepared;
        self.worded()
    }

    /// Writes the statements anew.
    fn worded(mut self) -> Self {
        let word = |prefix: &Prefix| Text { prepared: self.prepared, ..D::TEXT.named(prefix) };
        self.text = self.prefix.as_ref().ok().map(word).map(Arc::new);
        self
    }
}

impl<D: Dialect> Clone for SqlSemaphore<D> {
    fn clone(&self) -> Self {
        Self {
            pool: self.pool.clone(),
            prefix: self.prefix.clone(),
            text: self.text.clone(),
            prepared: self.prepared,
            shortest_lease: self.shortest_lease,
            deadline: self.deadline,
            abandoned: Arc::clone(&self.abandoned),
            renewals: self.renewals.clone(),
        }
    }
}

impl<D: Dialect> fmt::Debug for SqlSemaphore<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqlSemaphore")
            .field("database", &D::NAME)
            .field("prefix", &self.prefix)
            .field("shortest_lease", &self.shortest_lease)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}
