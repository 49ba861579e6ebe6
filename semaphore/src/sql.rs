//! Semaphores in SQL databases: `SQLite`, `PostgreSQL`, and MySQL or `MariaDB`.
//!
//! One file holds what one database says in its own words; the rest is the same for all.

mod acquire;
mod ask;
mod call;
mod collect;
mod dialect;
mod fault;
mod holders;
mod lent;
mod lessor;
mod micros;
#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "postgres")]
mod postgres;
mod renewals;
mod schema;
mod semaphore;
#[cfg(feature = "sqlite")]
mod sqlite;
mod text;

pub use dialect::Dialect;
#[cfg(feature = "mysql")]
pub use mysql::MySqlSemaphore;
#[cfg(feature = "postgres")]
pub use postgres::PgSemaphore;
pub use semaphore::SqlSemaphore;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteSemaphore;
