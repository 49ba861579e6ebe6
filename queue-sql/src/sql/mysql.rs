//! MySQL and MariaDB: a queue's tables there, and what the other files of this folder do with them.

mod ends;
mod errors;
mod groups;
mod inspect;
mod look;
mod migrate;
mod outlook;
mod publish;
mod publish_ordered;
mod receive;
mod receive_ordered;
mod record;
mod redrive;
mod repeat;
mod rows;
mod session;
mod settle;
mod settle_ordered;
mod state;
mod statements;
mod sweep;
mod text;

use std::time::Duration;

use async_trait::async_trait;
use queue_core::{Depth, QueueError};
use sqlx::{MySql, MySqlConnection, MySqlPool};
use uuid::Uuid;

use crate::error::{Moment, classify};
use crate::store::{
    Handle, Letter, NewQueue, QueueId, QueueRecord, Received, Settled, Store, StoreOptions, Wanted,
};
use crate::{SqlDatabase, SqlQueue};
use statements::Statements;

/// A MariaDB (10.6 or later) or MySQL (8.0.4 or later) database with queues in it, made from an `sqlx::MySqlPool`.
///
/// The account needs `SELECT`, `INSERT`, `UPDATE` and `DELETE` on the tables, and `CREATE` for
/// [`migrate`](SqlDatabase::migrate). The pool's sessions may have any isolation level and time zone, but `autocommit` has to
/// be on, as it is by default. No session state is kept, so that a proxy may share sessions between transactions; it has to
/// let two statements through that come in one packet, as each transaction begins so.
///
/// [`oldest_transaction`](SqlDatabase::oldest_transaction) needs the privilege `PROCESS`; without it its answer is a
/// *permanent* error, and nothing else changes. Receives walk past what was received before until `InnoDB`'s purge has removed
/// it, and the purge waits for the oldest open transaction that reads: alarm on transactions older than a minute, and on
/// "History list length" in `SHOW ENGINE INNODB STATUS` above 100,000.
///
/// A message of 1 MiB fits the `max_allowed_packet` that both come with.
pub type MySqlDatabase = SqlDatabase<MySqlStore>;

/// A queue in a MariaDB or MySQL database: see [`MySqlDatabase`] and [`SqlQueue`].
pub type MySqlQueue = SqlQueue<MySqlStore>;

impl From<MySqlPool> for MySqlDatabase {
    fn from(pool: MySqlPool) -> Self {
        Self::new(pool)
    }
}

/// The tables in a MySQL or MariaDB database.
#[derive(Debug)]
#[doc(hidden)]
pub struct MySqlStore {
    pool: MySqlPool,
    deadline: Duration,
    prefix: String,
    sql: Statements,
}

#[async_trait]
impl Store for MySqlStore {
    type Connection = MySqlConnection;
    type Source = MySqlPool;

    fn open(pool: MySqlPool, options: StoreOptions) -> Self {
        let sql = Statements::new(&options.prefix);
        Self { pool, deadline: options.deadline, prefix: options.prefix, sql }
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
        self.publish_letters(queue, letters).await
    }

    async fn publish_in(
        &self,
        connection: &mut MySqlConnection,
        queue: &QueueRecord,
        letters: &[Letter],
    ) -> Result<Vec<Uuid>, QueueError> {
        self.publish_within(connection, queue, letters).await
    }

    async fn receive(&self, queue: &QueueRecord, wanted: &Wanted) -> Result<Received, QueueError> {
        self.receive_messages(queue, wanted).await
    }

    async fn delete(&self, queue: &QueueRecord, handles: &[Handle]) -> Result<Vec<Settled>, QueueError> {
        self.delete_messages(queue, handles).await
    }

    async fn change_visibility(
        &self,
        queue: &QueueRecord,
        changes: &[(Handle, Duration)],
        longest: Duration,
    ) -> Result<Vec<Settled>, QueueError> {
        self.change_messages(queue, changes, longest).await
    }

    async fn outlook(&self, queues: &[QueueId]) -> Result<Vec<(QueueId, Option<Duration>)>, QueueError> {
        self.look_out(queues).await
    }

    async fn depth(&self, queue: &QueueRecord) -> Result<Depth, QueueError> {
        self.count(queue).await
    }

    async fn purge(&self, queue: &QueueRecord) -> Result<(), QueueError> {
        self.purge_messages(queue).await
    }

    async fn sweep(&self, queue: &QueueRecord, limit: u32) -> Result<u64, QueueError> {
        self.sweep_queue(queue, limit).await
    }

    async fn redrive(&self, from: &QueueRecord, to: &QueueRecord, limit: u32) -> Result<u64, QueueError> {
        self.redrive_messages(from, to, limit).await
    }

    async fn oldest_transaction(&self) -> Result<Option<Duration>, QueueError> {
        self.find_oldest_transaction().await
    }
}

/// What was answered is not what this crate stores.
fn unreadable(what: &str, error: sqlx::Error) -> QueueError {
    classify::<MySql>(what, Moment::Working, error)
}
