//! The statements' text, with the names of a prefix's tables.

use std::sync::Arc;

use sqlx::AssertSqlSafe;

use super::schema::Prefix;

/// The statements of one database. `sem_slot`, `sem_floor` and `sem_ledger` stand for the tables, `{now}` for the
/// database's clock.
#[derive(Clone, Debug)]
pub struct Text<S = Arc<str>> {
    pub(super) now: S,
    pub(super) acquire: S,
    pub(super) grow: S,
    pub(super) renew: S,
    pub(super) release: S,
    pub(super) release_all: S,
    pub(super) holders: S,
    pub(super) raise: S,
    pub(super) collect: S,
    /// The keys that may be collected, for a database that must be told them.
    pub(super) idle: S,
    pub(super) ledger: S,
    pub(super) version: S,
    pub(super) note: S,
    /// Whether statements are kept prepared on the connection.
    pub(super) prepared: bool,
}

impl Text<&'static str> {
    /// Puts in the names.
    pub(super) fn named(&self, prefix: &Prefix) -> Text {
        let name = |text: &str| Arc::from(prefix.name(&text.replace("{now}", self.now)));
        Text {
            now: name(self.now),
            acquire: name(self.acquire),
            grow: name(self.grow),
            renew: name(self.renew),
            release: name(self.release),
            release_all: name(self.release_all),
            holders: name(self.holders),
            raise: name(self.raise),
            collect: name(self.collect),
            idle: name(self.idle),
            ledger: name(self.ledger),
            version: name(self.version),
            note: name(self.note),
            prepared: self.prepared,
        }
    }
}

/// Says that a text is ours: it is a constant with a checked prefix in it, and what callers give is bound.
pub(super) fn ours(text: &Arc<str>) -> AssertSqlSafe<Arc<str>> {
    AssertSqlSafe(Arc::clone(text))
}
