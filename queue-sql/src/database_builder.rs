//! How a database is set up.

use std::fmt;
use std::time::Duration;

use queue_core::QueueError;

use crate::SqlDatabase;
use crate::sql::schema::{PREFIX, check_prefix};
use crate::store::{Store, StoreOptions};

/// How long a call may take, unless it is set: longer than a busy server needs, short enough for a [poller] to notice a
/// hung one.
///
/// [poller]: https://docs.rs/worker
const DEADLINE: Duration = Duration::from_secs(10);
/// How often waiting receives look for messages of other processes, unless it is set.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Sets up a [`SqlDatabase`].
#[must_use = "a builder builds nothing until `build` is called"]
pub struct SqlDatabaseBuilder<S: Store> {
    pub(crate) source: S::Source,
    options: StoreOptions,
    poll_interval: Duration,
}

impl<S: Store> SqlDatabaseBuilder<S> {
    pub(crate) fn new(source: S::Source) -> Self {
        let options = StoreOptions { prefix: PREFIX.to_owned(), deadline: DEADLINE };
        Self { source, options, poll_interval: POLL_INTERVAL }
    }

    /// Sets how the names of the tables begin: `q_` by default; 1 to 24 of `a-z 0-9 _`, a letter first.
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.options.prefix = prefix.into();
        self
    }

    /// Sets how long a call may take, retries included: 10 s by default. One that takes longer is *indeterminate*, and
    /// its connection is closed.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.options.deadline = deadline;
        self
    }

    /// Sets how often waiting receives look for messages of other processes: 100 ms by default. They look together, once
    /// per process; what becomes visible by time is seen on time in any case.
    pub fn poll_interval(mut self, poll_interval: Duration) -> Self {
        self.poll_interval = poll_interval;
        self
    }

    /// Builds it. Nothing is sent yet.
    ///
    /// # Errors
    /// *Permanent*: a prefix that is not allowed, or a deadline or an interval of zero.
    pub fn build(self) -> Result<SqlDatabase<S>, QueueError> {
        check_prefix(&self.options.prefix)?;
        for (what, length) in [("deadline", self.options.deadline), ("poll interval", self.poll_interval)] {
            if length.is_zero() {
                return Err(QueueError::permanent(format!("the {what} is zero; it has to be longer")));
            }
        }
        Ok(self.unchecked())
    }

    pub(crate) fn unchecked(self) -> SqlDatabase<S> {
        SqlDatabase::with_store(S::open(self.source, self.options), self.poll_interval)
    }
}

impl<S: Store> fmt::Debug for SqlDatabaseBuilder<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqlDatabaseBuilder").field("options", &self.options).finish_non_exhaustive()
    }
}

#[cfg(all(test, feature = "sqlite"))]
mod tests {
    use super::*;
    use crate::SqliteDatabase;

    #[tokio::test]
    async fn a_length_of_zero_is_refused_by_name() {
        let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:").unwrap();
        let builder = || SqliteDatabase::builder(pool.clone());
        for (builder, name) in [
            (builder().deadline(Duration::ZERO), "the deadline is zero"),
            (builder().poll_interval(Duration::ZERO), "the poll interval is zero"),
        ] {
            let error = builder.build().unwrap_err();
            assert_eq!(error.kind(), queue_core::QueueErrorKind::Permanent);
            assert!(error.message().starts_with(name), "{error}");
        }
    }
}
