//! Message queues in SQL databases: SQLite embedded, PostgreSQL, and MySQL or MariaDB.
//!
//! They do what an Amazon SQS queue does, standard or FIFO: receipts, visibility timeouts, delays, receive counts and a
//! dead-letter queue, retention, ordered groups, deduplication, long polls. A service needs no broker until it outgrows
//! its database.
//!
//! ```
//! # #[cfg(feature = "sqlite")]
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("jobs.db");
//! use queue_core::{Consumer, Outgoing, PublisherExt, ReceiveOptions};
//! use queue_sql::SqliteQueue;
//!
//! let queue = SqliteQueue::open(&path).await?; // makes the file and its tables
//! queue.publish_one(Outgoing::new("hello")).await?;
//! for delivery in queue.receive(ReceiveOptions::default()).await? {
//!     assert_eq!(delivery.message().body(), "hello");
//!     delivery.ack().await?;
//! }
//! # Ok(()) }
//! # #[cfg(not(feature = "sqlite"))] fn main() {}
//! ```
//!
//! # Which type
//!
//! | database | feature | a database | one queue of it |
//! | --- | --- | --- | --- |
//! | SQLite | `sqlite` | `SqliteDatabase::open(path)` | `SqliteQueue::open(path)`, or `database.queue("name").build()` |
//! | PostgreSQL 12 or later | `postgres` | `PgDatabase::new(pool)` | `database.queue("name").build()` |
//! | MariaDB 10.6, MySQL 8 or later | `mysql` | `MySqlDatabase::new(pool)` | `database.queue("name").build()` |
//!
//! On a server, `database.migrate()` makes the tables; any number of processes may call it at each start. The same
//! statements lie in the crate's folder `migrations`, for a database whose schema is somebody else's to change. Any number
//! of queues share the tables; [`SqlDatabaseBuilder::prefix`] makes a set of tables of its own.
//!
//! # Publishing with a transaction of one's own
//!
//! [`SqlQueue::publish_in`] stores messages through the connection of a transaction that is already open: they are there if
//! and only if it commits.
//!
//! # What costs what
//!
//! Ten messages are received by one statement and deleted by one; on MySQL and MariaDB a receive takes four round trips.
//! Publish, receive and settle ten at a time: [`queue_core::Coalesced`] does it for single calls.
//!
//! A message received is an update of an index that a delete soon follows, so such tables live from being cleaned up. A
//! transaction that stays open for minutes, on whichever table of the server, holds that back and slows every receive: the
//! crate warns of it in the log, and [`SqlDatabase::oldest_transaction`] is there to be watched.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod attributes;
mod builder;
mod call;
mod counts;
mod database;
mod database_builder;
mod error;
mod hub;
mod micros;
mod publish;
mod queue;
mod receipt;
mod receive;
mod redrive;
mod settings;
mod settler;
mod sql;
mod store;
mod upkeep;
mod watch;

pub use builder::SqlQueueBuilder;
pub use counts::SqlQueueCounts;
pub use database::SqlDatabase;
pub use database_builder::SqlDatabaseBuilder;
pub use queue::SqlQueue;
pub use store::Store as SqlStore;

#[cfg(feature = "mysql")]
pub use sql::mysql::{MySqlDatabase, MySqlQueue};
#[cfg(feature = "postgres")]
pub use sql::postgres::{PgDatabase, PgQueue};
#[cfg(feature = "sqlite")]
pub use sql::sqlite::{SqliteDatabase, SqliteOptions, SqliteQueue, SqliteSynchronous};
