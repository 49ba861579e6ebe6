//! SQLite: the queue that is embedded in a program.

mod errors;
mod groups;
mod inspect;
mod json;
mod line;
mod migrate;
mod open;
mod operation;
mod options;
mod outlook;
mod publish;
mod receive;
mod record;
mod redrive;
mod repeat;
mod settle;
mod statements;
mod sweep;
mod turn;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use queue_core::{Depth, QueueError};
use sqlx::{SqliteConnection, SqlitePool};
use uuid::Uuid;

use crate::store::{
    Handle, Letter, NewQueue, QueueId, QueueRecord, Received, Settled, Store, StoreOptions, Wanted,
};
use crate::{SqlDatabase, SqlQueue};
use line::Line;
use operation::{On, Operation};
use receive::Eager;
use statements::Statements;

pub use options::{SqliteOptions, SqliteSynchronous};

/// Queues in a SQLite database.
///
/// `SqliteDatabase::open("jobs.db")` makes the file and the tables. [`SqlDatabase::new`] takes a pool of the caller's and
/// sets nothing on it; it should be in WAL mode, which the file remembers (`PRAGMA journal_mode = WAL`), with
/// `synchronous` as durable as the messages are to be (FULL, which is SQLite's default, or NORMAL: see
/// [`SqliteOptions::synchronous`]), a busy timeout of 250 ms (calls try again until their deadlines, and one whose caller has
/// gone is not taken back while SQLite waits) and at least two connections; it is faster with
/// `test_before_acquire(false)`. A pool of a database in memory needs to keep its connection:
/// `max_connections(1)`, `idle_timeout(None)`, `max_lifetime(None)`.
///
/// SQLite lets one connection write at a time. All that this process writes to one file goes through one task, in order
/// of arrival: what waits meanwhile shares the next transaction, and with it the wait for the disk. Processes take turns
/// by a lock file beside the database, `jobs.db-writer.lock`, which may be removed when nobody has the database open. An
/// answer comes after the commit. Where a path is a `file:` URI, or the file system knows no locks, the processes take
/// turns by SQLite's own lock alone, which is less fair.
///
/// A file does not shrink when messages go; what they left is used again. `VACUUM` shrinks it, when the queue is quiet.
///
/// Times are by SQLite's clock, that of the machine, in milliseconds.
pub type SqliteDatabase = SqlDatabase<SqliteStore>;

/// A queue in a SQLite database: see [`SqliteDatabase`].
///
/// # Examples
/// ```
/// use queue_core::{Consumer, Outgoing, PublisherExt, ReceiveOptions};
/// use queue_sql::SqliteQueue;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("jobs.db");
/// let queue = SqliteQueue::open(path).await?;
/// queue.publish_one(Outgoing::new("hello")).await?;
/// for delivery in queue.receive(ReceiveOptions::default()).await? {
///     assert_eq!(delivery.message().body(), "hello");
///     delivery.ack().await?;
/// }
/// # Ok(()) }
/// ```
pub type SqliteQueue = SqlQueue<SqliteStore>;

/// The tables in a SQLite database.
#[doc(hidden)]
#[derive(Debug)]
pub struct SqliteStore {
    pool: SqlitePool,
    deadline: Duration,
    prefix: String,
    statements: Arc<Statements>,
    line: Arc<Line>,
    /// Whether others can read while one writes: not in memory, where there is one connection.
    reads_beside: bool,
    eager: Eager,
}

/// What a [`SqliteDatabase`] is made of: a pool.
#[derive(Clone, Debug)]
pub struct SqliteSource(SqlitePool);

impl From<SqlitePool> for SqliteSource {
    fn from(pool: SqlitePool) -> Self {
        Self(pool)
    }
}

impl From<SqlitePool> for SqliteDatabase {
    fn from(pool: SqlitePool) -> Self {
        Self::new(pool)
    }
}

impl SqliteStore {
    /// Has something written, when its turn comes.
    async fn write<O: Operation<Answer: std::fmt::Debug>>(
        &self,
        operation: O,
    ) -> Result<O::Answer, QueueError> {
        self.line.submit(operation, self.deadline).await
    }

    /// Reads, beside what is written.
    async fn read<O: Operation<Answer: std::fmt::Debug>>(
        &self,
        operation: O,
    ) -> Result<O::Answer, QueueError> {
        if !self.reads_beside {
            return self.write(operation).await;
        }
        let statements = &*self.statements;
        crate::call::call!(self, O::WHAT, connection => operation.run(On { connection, statements }))
    }
}

#[async_trait]
impl Store for SqliteStore {
    type Connection = SqliteConnection;
    type Source = SqliteSource;

    fn open(source: SqliteSource, options: StoreOptions) -> Self {
        let pool = source.0;
        let file = open::file_of(pool.connect_options().get_filename());
        let statements = Arc::new(Statements::new(&options.prefix));
        let reads_beside = file.is_some();
        let line = Arc::new(Line::new(pool.clone(), Arc::clone(&statements), file));
        let StoreOptions { prefix, deadline } = options;
        Self { pool, deadline, prefix, statements, line, reads_beside, eager: Eager::default() }
    }

    async fn migrate(&self) -> Result<(), QueueError> {
        migrate::migrate(self).await
    }

    async fn find(&self, name: &str) -> Result<Option<QueueRecord>, QueueError> {
        self.read(record::Find { name: name.to_owned() }).await
    }

    async fn create(&self, queue: &NewQueue) -> Result<(), QueueError> {
        self.write(record::Create { queue: queue.clone() }).await
    }

    async fn update(&self, queue: &NewQueue) -> Result<(), QueueError> {
        self.write(record::Update { queue: queue.clone() }).await
    }

    async fn publish(&self, queue: &QueueRecord, letters: &[Letter]) -> Result<Vec<Uuid>, QueueError> {
        self.write(publish::Publish { queue: queue.clone(), letters: letters.to_vec() }).await
    }

    async fn publish_in(
        &self,
        connection: &mut SqliteConnection,
        queue: &QueueRecord,
        letters: &[Letter],
    ) -> Result<Vec<Uuid>, QueueError> {
        let statements = &*self.statements;
        publish::publish_in(On { connection, statements }, queue, letters).await
    }

    async fn receive(&self, queue: &QueueRecord, wanted: &Wanted) -> Result<Received, QueueError> {
        receive::receive(self, queue, wanted).await
    }

    async fn delete(&self, queue: &QueueRecord, handles: &[Handle]) -> Result<Vec<Settled>, QueueError> {
        self.write(settle::Delete { queue: queue.clone(), handles: handles.to_vec() }).await
    }

    async fn change_visibility(
        &self,
        queue: &QueueRecord,
        changes: &[(Handle, Duration)],
        longest: Duration,
    ) -> Result<Vec<Settled>, QueueError> {
        self.write(settle::Change { queue: queue.clone(), changes: changes.to_vec(), longest }).await
    }

    async fn outlook(&self, queues: &[QueueId]) -> Result<Vec<(QueueId, Option<Duration>)>, QueueError> {
        self.read(outlook::Outlook { queues: queues.to_vec() }).await
    }

    async fn depth(&self, queue: &QueueRecord) -> Result<Depth, QueueError> {
        self.read(inspect::CountDepth { queue: queue.clone() }).await
    }

    async fn purge(&self, queue: &QueueRecord) -> Result<(), QueueError> {
        inspect::purge(self, queue).await
    }

    async fn sweep(&self, queue: &QueueRecord, limit: u32) -> Result<u64, QueueError> {
        sweep::sweep(self, queue, limit).await
    }

    async fn redrive(&self, from: &QueueRecord, to: &QueueRecord, limit: u32) -> Result<u64, QueueError> {
        self.write(redrive::Redrive { from: from.clone(), to: to.clone(), limit }).await
    }

    async fn oldest_transaction(&self) -> Result<Option<Duration>, QueueError> {
        Ok(None)
    }
}
