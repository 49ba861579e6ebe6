//! PostgreSQL.

mod errors;
mod groups;
mod horizon;
mod inspect;
mod listener;
mod migrate;
mod mode;
mod notifier;
mod outlook;
mod publish;
mod receive;
mod record;
mod redrive;
mod repeat;
mod settle;
mod statements;
mod sweep;
mod take;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use queue_core::{Depth, QueueError};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{PgPool, Postgres};
use uuid::Uuid;

use crate::error::{Moment, classify};
use crate::hub::Hub;
use crate::store::{
    Handle, Letter, NewQueue, QueueId, QueueRecord, Received, Settled, Store, StoreOptions, Wanted,
};
use crate::{SqlDatabase, SqlDatabaseBuilder, SqlQueue};
use horizon::Horizon;
use mode::Mode;
use notifier::Notifier;
use statements::Statements;

/// A PostgreSQL database with queues in it.
///
/// [`PgDatabase::new`](SqlDatabase::new) takes a pool of the caller's, of any size; a receive that waits holds no connection.
/// It works with any default isolation level, and through a pooling proxy: see
/// [`without_prepared_statements`](SqlDatabaseBuilder::without_prepared_statements).
///
/// # Long transactions
/// While any transaction of the database is open, rows that were deleted since it began can't be cleaned up. Receives
/// walk past the index entries of what was received before; once that is slow, they start near the last message that they
/// found, and only one part in 200 of the time is spent on looking further back, at least every 5 s. What is further back is a
/// message whose transaction took longer than a second to commit after it was published. So receiving stays quick, but the
/// table grows:
/// alarm on [`oldest_transaction`](SqlDatabase::oldest_transaction), set `idle_in_transaction_session_timeout`, and run
/// reports on a standby. An account that is not a member of `pg_read_all_stats` sees its own transactions only. Replication
/// slots that are not read hold back the clean-up too; the database tells of them in `pg_replication_slots`.
///
/// The tables are set to be vacuumed after 20,000 dead rows, whatever their size, and without pauses; `autovacuum_naptime`,
/// a minute by default, is the server's: 10 s suits a busy queue better.
pub type PgDatabase = SqlDatabase<PgStore>;

/// A queue in a PostgreSQL database: see [`PgDatabase`].
pub type PgQueue = SqlQueue<PgStore>;

/// Queues in PostgreSQL.
#[doc(hidden)]
pub struct PgStore {
    pool: PgPool,
    deadline: Duration,
    prefix: String,
    mode: Mode,
    sql: Statements,
    horizon: Horizon,
    notifier: Option<Notifier>,
}

/// A pool, and how it is used.
#[doc(hidden)]
#[derive(Debug)]
pub struct PgSource {
    pool: PgPool,
    prepared: bool,
    notifications: Option<PgConnectOptions>,
}

impl From<PgPool> for PgSource {
    fn from(pool: PgPool) -> Self {
        Self { pool, prepared: true, notifications: None }
    }
}

impl From<PgPool> for PgDatabase {
    fn from(pool: PgPool) -> Self {
        Self::new(pool)
    }
}

impl SqlDatabaseBuilder<PgStore> {
    /// Tells other processes of new messages, and hears of theirs, by `NOTIFY` and `LISTEN`, so that a message reaches a
    /// receive that waits in another process at once, not at its next look. It is a hint and nothing more: what is lost is
    /// found by the look.
    ///
    /// `options` have to lead to the database itself, not to a pooling proxy. While receives wait, one connection listens;
    /// another one notifies, at most every 20 ms, after the messages were committed and never in their transaction.
    /// Both end with the last handle of the database.
    pub fn notifications(mut self, options: PgConnectOptions) -> Self {
        self.source.notifications = Some(options);
        self
    }

    /// Sends each statement unprepared, and in a transaction of its own: for a pooling proxy in transaction mode that does
    /// not track prepared statements, such as `PgBouncer` before 1.21. It costs two to three more round trips a call.
    /// Connect with `statement_cache_capacity(0)` too, as `publish_in` runs on a connection of the caller's.
    pub fn without_prepared_statements(mut self) -> Self {
        self.source.prepared = false;
        self
    }
}

impl PgStore {
    /// The error of an answer that is not what the statement says.
    #[expect(clippy::unused_self, reason = "it is said about this database")]
    fn unreadable(&self, what: &str, error: sqlx::Error) -> QueueError {
        classify::<Postgres>(what, Moment::Working, error)
    }
}

#[async_trait]
impl Store for PgStore {
    type Connection = PgConnection;
    type Source = PgSource;

    fn open(source: PgSource, options: StoreOptions) -> Self {
        Self {
            pool: source.pool,
            deadline: options.deadline,
            mode: Mode::new(source.prepared),
            sql: Statements::new(&options.prefix),
            horizon: Horizon::default(),
            notifier: source.notifications.map(|options_| Notifier::new(options_, &options.prefix)),
            prefix: options.prefix,
        }
    }

    async fn migrate(&self) -> Result<(), QueueError> {
        self.migrate_all().await
    }

    async fn find(&self, name: &str) -> Result<Option<QueueRecord>, QueueError> {
        self.find_record(name).await
    }

    async fn create(&self, queue: &NewQueue) -> Result<(), QueueError> {
        self.create_record(queue).await
    }

    async fn update(&self, queue: &NewQueue) -> Result<(), QueueError> {
        self.update_record(queue).await
    }

    async fn publish(&self, queue: &QueueRecord, letters: &[Letter]) -> Result<Vec<Uuid>, QueueError> {
        self.store_letters(queue, letters).await
    }

    async fn publish_in(
        &self,
        connection: &mut PgConnection,
        queue: &QueueRecord,
        letters: &[Letter],
    ) -> Result<Vec<Uuid>, QueueError> {
        self.store_letters_in(connection, queue, letters).await
    }

    async fn receive(&self, queue: &QueueRecord, wanted: &Wanted) -> Result<Received, QueueError> {
        if queue.settings.ordered {
            return self.take_ordered(queue, wanted).await;
        }
        self.take(queue, wanted).await
    }

    async fn delete(&self, queue: &QueueRecord, handles: &[Handle]) -> Result<Vec<Settled>, QueueError> {
        self.delete_all(queue, handles).await
    }

    async fn change_visibility(
        &self,
        queue: &QueueRecord,
        changes: &[(Handle, Duration)],
        longest: Duration,
    ) -> Result<Vec<Settled>, QueueError> {
        self.change_all(queue, changes, longest).await
    }

    async fn outlook(&self, queues: &[QueueId]) -> Result<Vec<(QueueId, Option<Duration>)>, QueueError> {
        self.look(queues).await
    }

    async fn depth(&self, queue: &QueueRecord) -> Result<Depth, QueueError> {
        self.count(queue).await
    }

    async fn purge(&self, queue: &QueueRecord) -> Result<(), QueueError> {
        self.purge_all(queue).await
    }

    async fn sweep(&self, queue: &QueueRecord, limit: u32) -> Result<u64, QueueError> {
        self.sweep_some(queue, limit).await
    }

    async fn redrive(&self, from: &QueueRecord, to: &QueueRecord, limit: u32) -> Result<u64, QueueError> {
        self.redrive_some(from, to, limit).await
    }

    async fn oldest_transaction(&self) -> Result<Option<Duration>, QueueError> {
        self.find_oldest_transaction().await
    }

    fn published(&self, queue: QueueId) {
        if let Some(notifier) = &self.notifier {
            notifier.tell(queue);
        }
    }

    fn watching(&self, hub: &Arc<Hub>) {
        if let Some(notifier) = &self.notifier {
            notifier.listen(hub);
        }
    }
}

impl fmt::Debug for PgStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PgStore").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}
