//! What is particular to queues on PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod errors;
mod groups;
mod isolation;
mod locks;
mod long_transactions;
mod migrations;
mod notifications;
mod pgbouncer;
mod plans;
mod repeat;
mod server;
mod statements;
