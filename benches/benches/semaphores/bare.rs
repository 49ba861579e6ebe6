//! The measure of all things: a bare update of one row by its primary key, with the same driver and durability.

use sqlx::{AssertSqlSafe, SqlSafeStr, SqlStr};

/// The statements of a table of rows that nobody else wants.
#[derive(Clone, Debug)]
pub(crate) struct Bare {
    create: String,
    fill: String,
    pub(crate) update: String,
}

impl Bare {
    /// For a table that begins with `prefix`, with `placeholder` for a statement's only parameter.
    pub(crate) fn new(prefix: &str, placeholder: &str) -> Self {
        let table = format!("{prefix}bare");
        Self {
            create: format!("CREATE TABLE {table} (id bigint PRIMARY KEY, n bigint NOT NULL)"),
            fill: format!(
                "INSERT INTO {table} VALUES (0,0),(1,0),(2,0),(3,0),(4,0),(5,0),(6,0),(7,0),(8,0),(9,0)"
            ),
            update: format!("UPDATE {table} SET n = n + 1 WHERE id = {placeholder}"),
        }
    }

    pub(crate) fn create(&self) -> SqlStr {
        AssertSqlSafe(self.create.clone()).into_sql_str()
    }

    pub(crate) fn fill(&self) -> SqlStr {
        AssertSqlSafe(self.fill.clone()).into_sql_str()
    }
}
