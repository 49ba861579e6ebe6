//! Sessions: a connection at work with this store's statements, and how transactions begin.

use sqlx::{Connection, MySql, MySqlConnection, Transaction};

use super::statements::Statements;

/// One round trip. The level is for this transaction only: nothing stays behind in the session.
const BEGIN: &str = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; START TRANSACTION";

/// Begins a transaction in which each statement sees what is committed, and locks rows without the gaps between them,
/// whatever the pool's sessions are set to.
///
/// # Drop
/// Rolls back when the connection goes back to the pool: nobody waits for it.
pub(super) async fn begin(connection: &mut MySqlConnection) -> Result<Transaction<'_, MySql>, sqlx::Error> {
    connection.begin_with(BEGIN).await
}

/// A connection, mostly within a transaction, and the statements to use on it.
#[derive(Debug)]
pub(super) struct Session<'a> {
    pub(super) connection: &'a mut MySqlConnection,
    pub(super) sql: &'a Statements,
}

impl<'a> Session<'a> {
    pub(super) fn new(connection: &'a mut MySqlConnection, sql: &'a Statements) -> Self {
        Self { connection, sql }
    }
}
