//! Message queues in SQL databases: SQLite embedded, PostgreSQL, and MySQL or MariaDB.

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
