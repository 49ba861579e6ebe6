//! The texts of the statements, made once for the names of one database's tables.

mod ordered;
mod shared;
mod standard;

use std::sync::Arc;

use sqlx::AssertSqlSafe;
use sqlx::query::Query;
use sqlx::sqlite::{Sqlite, SqliteArguments};

use crate::sql::schema::with_prefix;

pub(super) use ordered::Ordered;
pub(super) use shared::Shared;
pub(super) use standard::Standard;

/// The time, in microseconds since 1970; SQLite counts milliseconds. It stands still within one step of a statement. The
/// half is for the product, which may be a hair less than whole.
const NOW: &str = "(CAST(unixepoch('subsec') * 1000 + 0.5 AS INTEGER) * 1000)";

/// All statements of one database.
#[derive(Debug)]
pub(super) struct Statements {
    pub(super) shared: Shared,
    pub(super) standard: Standard,
    pub(super) ordered: Ordered,
}

impl Statements {
    pub(super) fn new(prefix: &str) -> Self {
        let writer = Writer { prefix };
        Self {
            shared: Shared::new(&writer),
            standard: Standard::new(&writer),
            ordered: Ordered::new(&writer),
        }
    }
}

/// Writes statements for tables that begin with a prefix.
struct Writer<'a> {
    prefix: &'a str,
}

impl Writer<'_> {
    /// Writes one; `{now}` is the time.
    fn write(&self, template: &str) -> Text {
        Text(Arc::from(with_prefix(&template.replace("{now}", NOW), self.prefix)))
    }
}

/// The text of one statement.
#[derive(Clone, Debug)]
pub(super) struct Text(Arc<str>);

impl Text {
    /// The statement, to be bound and run. Its connection keeps it prepared.
    pub(super) fn query<'q>(&self) -> Query<'q, Sqlite, SqliteArguments> {
        sqlx::query(AssertSqlSafe(Arc::clone(&self.0)))
    }
}

#[cfg(test)]
mod tests;
