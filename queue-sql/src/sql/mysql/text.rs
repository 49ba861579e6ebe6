//! Texts of statements: with the names of this database's tables, and for so many rows.

use std::fmt;
use std::sync::Arc;

use sqlx::mysql::MySqlArguments;
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, MySql};

use crate::sql::schema::with_prefix;

/// The most rows that texts are kept for: those of a batch.
const KEPT: usize = 10;
/// How many rows statements have that remove many: always as many, so that there is one text.
pub(super) const MANY: usize = 100;
/// The time of the statement, in microseconds since 1970. It is the same throughout a statement and in every time zone of a
/// session, and it can be compared with an index.
const NOW: &str = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";

/// A statement with values to be bound.
pub(super) type Statement<'q> = Query<'q, MySql, MySqlArguments>;

/// A text, written once so that connections know its statement again.
#[derive(Clone)]
pub(super) struct Text(Arc<str>);

impl Text {
    /// Writes it: with `prefix` for `q_`, and the time for `:now`.
    pub(super) fn new(sql: &str, prefix: &str) -> Self {
        Self(with_prefix(sql, prefix).trim().replace(":now", NOW).into())
    }

    /// Begins a statement of it.
    pub(super) fn query<'q>(&self) -> Statement<'q> {
        sqlx::query(AssertSqlSafe(Arc::clone(&self.0)))
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text for any number of rows. In `{item}` or `{item|separator}` the item is there once for each row; between two is a
/// comma unless a separator is said.
#[derive(Debug)]
pub(super) struct Series {
    any: Text,
    kept: Vec<Text>,
}

impl Series {
    pub(super) fn new(sql: &str, prefix: &str) -> Self {
        let any = Text::new(sql, prefix);
        let kept = (1..=KEPT).map(|rows| Text(repeat(&any.0, rows).into())).collect();
        Self { any, kept }
    }

    /// Begins a statement for `rows` rows: one at least.
    pub(super) fn query<'q>(&self, rows: usize) -> Statement<'q> {
        match self.kept.get(rows.saturating_sub(1)) {
            Some(text) => text.query(),
            None => Text(repeat(&self.any.0, rows).into()).query(),
        }
    }
}

/// Repeats the last of `rows` until there are [`MANY`]: in a list to compare with, once more is as good.
pub(super) fn padded<T>(rows: &[T]) -> impl Iterator<Item = &T> {
    let last = rows.last().into_iter().flat_map(|last| std::iter::repeat_n(last, MANY));
    rows.iter().chain(last).take(MANY)
}

/// Writes each item of a text so many times.
fn repeat(text: &str, rows: usize) -> String {
    let mut written = String::with_capacity(text.len() * rows);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (item, tail) = after.split_once('}').unwrap_or((after, ""));
        let (item, separator) = item.split_once('|').unwrap_or((item, ", "));
        written.push_str(before);
        written.push_str(&vec![item; rows].join(separator));
        rest = tail;
    }
    written.push_str(rest);
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_repeated_for_each_row() {
        let text = "IN ({?}) AND CASE {WHEN ?| } END";
        assert_eq!(repeat(text, 1), "IN (?) AND CASE WHEN ? END");
        assert_eq!(repeat(text, 3), "IN (?, ?, ?) AND CASE WHEN ? WHEN ? WHEN ? END");
        assert_eq!(repeat("no item", 3), "no item");
    }

    #[test]
    fn texts_have_this_database_s_names_and_clock() {
        let text = Text::new("\nSELECT :now FROM q_message", "jobs_");
        assert_eq!(format!("{text:?}"), format!("SELECT {NOW} FROM jobs_message"));
    }
}
