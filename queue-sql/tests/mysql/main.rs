//! What is particular to queues on MariaDB and MySQL.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "the helpers of tests fail as tests do")]

mod clocks;
mod costs;
mod errors;
mod isolation;
mod load;
mod locks;
mod migrations;
mod support;
mod transactions;
