//! The seam between a semaphore and its database: each call as that database words it.

use std::future::{Future, ready};
use std::pin::Pin;

use super::ask::{Acquire, Attempt, Collect, Freed, Grow, Held, Renew};
use super::fault::Fault;
use super::schema::Version;
use super::text::Text;
use crate::{PermitToken, SemaphoreKey};

/// One call on one connection.
pub(super) type Step<'c, T> = Pin<Box<dyn Future<Output = Result<T, sqlx::Error>> + Send + 'c>>;

/// A database that [`SqlSemaphore`](super::SqlSemaphore) works on. Sealed: PostgreSQL, MySQL and SQLite.
///
/// Each step but `collect` and `migrate` is one statement that commits by itself: no client can freeze in the middle of it.
pub trait Dialect: sqlx::Database + Sync + sealed::Sealed {
    /// How each statement is worded.
    #[doc(hidden)]
    const TEXT: Text<&'static str>;

    /// The migrations, in order: each with its number.
    #[doc(hidden)]
    const MIGRATIONS: &'static [(Version, &'static str)];

    /// How many slots one `grow` makes at most.
    #[doc(hidden)]
    const GROWTH: u16 = u16::MAX;

    /// Whether a connection whose call was dropped is sound. SQLite's is: a thread of its own finishes what it was asked.
    #[doc(hidden)]
    const SOUND_WHEN_DROPPED: bool = false;

    /// Takes a free slot. A miss writes nothing.
    #[doc(hidden)]
    fn acquire<'c>(conn: &'c mut Self::Connection, text: &'c Text, ask: &'c Acquire) -> Step<'c, Attempt>;

    /// Makes slots, above the floor.
    #[doc(hidden)]
    fn grow<'c>(conn: &'c mut Self::Connection, text: &'c Text, ask: &'c Grow) -> Step<'c, ()>;

    /// Lets a lease run on; `false` if it has ended.
    #[doc(hidden)]
    fn renew<'c>(conn: &'c mut Self::Connection, text: &'c Text, ask: &'c Renew) -> Step<'c, bool>;

    /// Frees a slot.
    #[doc(hidden)]
    fn release<'c>(conn: &'c mut Self::Connection, text: &'c Text, ask: &'c PermitToken) -> Step<'c, Freed>;

    /// Frees every slot of a key that is held, and says how many.
    #[doc(hidden)]
    fn release_all<'c>(
        conn: &'c mut Self::Connection,
        text: &'c Text,
        ask: &'c SemaphoreKey,
    ) -> Step<'c, u64>;

    /// Lists the slots of some keys that are held, each key's by slot.
    #[doc(hidden)]
    fn holders<'c>(
        conn: &'c mut Self::Connection,
        text: &'c Text,
        ask: &'c [SemaphoreKey],
    ) -> Step<'c, Vec<Held>>;

    /// Raises the floor to the highest fencing number of what may be collected, unless `collect` does it.
    #[doc(hidden)]
    fn raise<'c>(_conn: &'c mut Self::Connection, _text: &'c Text, _ask: &'c Collect) -> Step<'c, ()> {
        Box::pin(ready(Ok(())))
    }

    /// Removes the slots of idle keys that are not above the floor, and says how many.
    #[doc(hidden)]
    fn collect<'c>(conn: &'c mut Self::Connection, text: &'c Text, ask: &'c Collect) -> Step<'c, u64>;

    /// Runs the migrations that the ledger lacks, and answers the version that was there before.
    #[doc(hidden)]
    fn migrate<'c>(
        conn: &'c mut Self::Connection,
        text: &'c Text,
        ask: &'c [(Version, String)],
    ) -> Step<'c, Version>;

    /// Begins a transaction in which statements see what is committed, whatever the session's default.
    #[doc(hidden)]
    fn begin(_conn: &mut Self::Connection) -> Step<'_, ()> {
        Box::pin(ready(Ok(())))
    }

    /// Commits it.
    #[doc(hidden)]
    fn commit(_conn: &mut Self::Connection) -> Step<'_, ()> {
        Box::pin(ready(Ok(())))
    }

    /// Judges an error that the database answered with.
    #[doc(hidden)]
    fn judge(error: &dyn sqlx::error::DatabaseError) -> Fault;
}

mod sealed {
    pub trait Sealed {}

    #[cfg(feature = "mysql")]
    impl Sealed for sqlx::MySql {}
    #[cfg(feature = "postgres")]
    impl Sealed for sqlx::Postgres {}
    #[cfg(feature = "sqlite")]
    impl Sealed for sqlx::Sqlite {}
}
