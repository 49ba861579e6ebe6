//! The tables' names, and the migrations that make the tables.

use std::sync::Arc;

use super::{Dialect, SqlSemaphore};
use crate::SemaphoreError;

/// The number of a migration.
pub(super) type Version = i32;

/// The longest prefix, in bytes: with it, the tables' names stay within what every database takes (63, PostgreSQL's).
const LONGEST: usize = 40;

/// What the tables' names begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Prefix(Arc<str>);

impl Prefix {
    /// Checks a prefix. Upper case becomes lower case: databases differ in whether they tell them apart.
    pub(super) fn new(prefix: &str) -> Result<Self, SemaphoreError> {
        let fits = prefix.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if prefix.is_empty()
            || prefix.len() > LONGEST
            || !fits
            || prefix.starts_with(|c: char| c.is_ascii_digit())
        {
            return Err(SemaphoreError::permanent(format!(
                "the table prefix {prefix:?} is not 1 to {LONGEST} letters, digits and underscores that begin with none of the digits"
            )));
        }
        Ok(Self(prefix.to_ascii_lowercase().into()))
    }

    /// Puts the prefix before the tables' names in a text.
    pub(super) fn name(&self, text: &str) -> String {
        ["slot", "floor", "ledger"].iter().fold(text.to_owned(), |text, table| {
            text.replace(&format!("sem_{table}"), &format!("{}{table}", self.0))
        })
    }
}

impl Default for Prefix {
    fn default() -> Self {
        Self(Arc::from("sem_"))
    }
}

impl<D: Dialect> SqlSemaphore<D> {
    /// Makes the tables, or brings them up to date. Any number of processes may do so at the same time.
    ///
    /// The same statements are in the crate's folder `migrations`, for whoever runs them by other means.
    ///
    /// # Cancel safety
    /// Safe: what was not done is done by the next call.
    ///
    /// # Errors
    /// *Permanent*: the tables were made by a later version of this crate, or the account may not make tables.
    /// *Transient*, *indeterminate*: call it again.
    pub async fn migrate(&self) -> Result<(), SemaphoreError> {
        let prefix = self.prefix()?;
        let migrations: Vec<_> =
            D::MIGRATIONS.iter().map(|(version, text)| (*version, prefix.name(text))).collect();
        let found = self.call("make the tables", D::migrate, migrations.as_slice()).await?;
        let known = D::MIGRATIONS.iter().map(|(version, _)| *version).max().unwrap_or(0);
        if found > known {
            return Err(SemaphoreError::permanent(format!(
                "the semaphore's tables have version {found}; this program knows {known} and must not touch them"
            )));
        }
        Ok(())
    }
}

/// The statements of a migration, without comments. None of ours has a semicolon or two dashes inside a statement.
pub(super) fn statements(text: &str) -> Vec<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("--"));
    let code = code.collect::<Vec<_>>().join("\n");
    code.split(';').map(str::trim).filter(|statement| !statement.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SemaphoreErrorKind;

    #[test]
    fn a_prefix_is_checked_and_put_before_every_table() {
        let prefix = Prefix::new("App1_").unwrap();
        assert_eq!(prefix.name("sem_slot, sem_floor, sem_key"), "app1_slot, app1_floor, sem_key");
        let long = "p".repeat(LONGEST + 1);
        for bad in ["", "1a", "a-b", "a.b", "a b", "a'", "ä", long.as_str()] {
            assert_eq!(Prefix::new(bad).unwrap_err().kind(), SemaphoreErrorKind::Permanent, "{bad:?}");
        }
    }

    #[test]
    fn a_migration_is_cut_into_statements() {
        assert_eq!(statements("-- a; b\nA (\n1);\n\n-- c\nB;\n"), ["A (\n1)", "B"]);
    }
}
