//! The tables' names and versions: what the migrations of all databases have in common.

use queue_core::QueueError;

/// How the names of the tables begin in the files of `migrations`, and by default.
pub(crate) const PREFIX: &str = "q_";
/// The longest prefix: with the longest name behind it, it fits every database.
const LONGEST_PREFIX: usize = 24;

/// Checks a prefix of table names: a letter, then letters, digits and underscores, 24 in all.
pub(crate) fn check_prefix(prefix: &str) -> Result<(), QueueError> {
    let fits = (1..=LONGEST_PREFIX).contains(&prefix.len());
    let plain = prefix.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if fits && plain && prefix.starts_with(|c: char| c.is_ascii_lowercase()) {
        return Ok(());
    }
    Err(QueueError::permanent(format!(
        "{prefix:?} can't begin the names of tables: it needs 1 to {LONGEST_PREFIX} of a-z, 0-9 and _, a letter first"
    )))
}

/// Puts another prefix before the names of tables in `sql`: wherever a word begins with the usual one.
pub(crate) fn with_prefix(sql: &str, prefix: &str) -> String {
    let mut written = String::with_capacity(sql.len());
    let mut rest = sql;
    let mut before = ' ';
    while let Some(at) = rest.find(PREFIX) {
        let (head, tail) = rest.split_at(at);
        before = head.chars().next_back().unwrap_or(before);
        let begins = !before.is_ascii_alphanumeric() && before != '_';
        written.push_str(head);
        written.push_str(if begins { prefix } else { PREFIX });
        before = '_';
        rest = &tail[PREFIX.len()..];
    }
    written.push_str(rest);
    written
}

/// One step of a schema: its number, and the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Migration {
    pub(crate) version: i64,
    pub(crate) sql: &'static str,
}

impl Migration {
    /// The statements of the file, for tables that begin with `prefix`. They end with a semicolon at the end of a line.
    pub(crate) fn statements(&self, prefix: &str) -> Vec<String> {
        let without_comments: String = self
            .sql
            .lines()
            .filter(|line| !line.trim_start().starts_with("--"))
            .flat_map(|line| [line, "\n"])
            .collect();
        let statements =
            without_comments.split(";\n").map(str::trim).filter(|statement| !statement.is_empty());
        statements.map(|statement| with_prefix(statement, prefix)).collect()
    }
}

/// Refuses tables that a later version of this crate made.
pub(crate) fn check_version(found: i64, known: &[Migration]) -> Result<(), QueueError> {
    let latest = known.iter().map(|migration| migration.version).max().unwrap_or(0);
    if found <= latest {
        return Ok(());
    }
    Err(QueueError::permanent(format!(
        "the tables are of version {found}, this version of the crate knows {latest}: update it"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_put_before_names_and_nowhere_else() {
        let sql = "CREATE TABLE q_msg (seq_q_x int, q_id int); INSERT INTO q_msg SELECT 'aq_'";
        let expected = "CREATE TABLE jobs_msg (seq_q_x int, jobs_id int); INSERT INTO jobs_msg SELECT 'aq_'";
        assert_eq!(with_prefix(sql, "jobs_"), expected);
        assert_eq!(with_prefix("q_q_q", "a_"), "a_q_q");
    }

    #[test]
    fn a_prefix_that_is_not_plain_is_refused() {
        for good in ["q_", "a", "jobs2_"] {
            assert!(check_prefix(good).is_ok());
        }
        for bad in ["", "2q", "Q_", "a-b", "a;drop", &"a".repeat(25)] {
            assert!(check_prefix(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_file_is_cut_into_statements() {
        let migration = Migration {
            version: 1,
            sql: "-- why\nCREATE TABLE q_a (\n  b int\n);\n\nCREATE INDEX q_i ON q_a (b);\n",
        };
        assert_eq!(
            migration.statements("x_"),
            ["CREATE TABLE x_a (\n  b int\n)", "CREATE INDEX x_i ON x_a (b)"]
        );
        assert!(check_version(1, &[migration]).is_ok() && check_version(2, &[migration]).is_err());
    }
}
