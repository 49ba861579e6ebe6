//! A counting semaphore for a cluster: how many may do a thing at once, by leases that a database's clock decides.
//!
//! ```
//! use std::time::Duration;
//! use semaphore::{MemorySemaphore, PermitRequest, Semaphore, SemaphoreError, lease, max};
//!
//! async fn rebuild_index(semaphore: &impl Semaphore) -> Result<(), SemaphoreError> {
//!     let request = PermitRequest::new("search-index", max(8), lease(Duration::from_secs(60)));
//!     let Some(permit) = semaphore.try_acquire(request).await? else { return Ok(()) }; // eight others are at it
//!     let fence = permit.fencing_token();
//!     permit.run(async move { println!("rebuilding, as number {fence}") }).await // dropped if the permit is lost
//! }
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), SemaphoreError> {
//! rebuild_index(&MemorySemaphore::new()).await
//! # }
//! ```
//!
//! # Which type
//!
//! | to | take |
//! | --- | --- |
//! | share permits among the processes of a cluster | `PgSemaphore`, `MySqlSemaphore`, `SqliteSemaphore`: features `postgres`, `mysql`, `sqlite` |
//! | test without a database, or run in one process | [`MemorySemaphore`] |
//! | wait until one is free | [`SemaphoreExt::acquire`] |
//! | run work for as long as a permit is held | [`Permit::run`] |
//! | see who holds what, or take it away | [`Holders`] |
//! | renew though the runtime is blocked | [`RenewalThread`] |
//! | answer as a test wants it | `MockSemaphore`, `MockHolders`, `MockLessor`: feature `mock` |
//! | write a backend | [`Semaphore`], [`Lessor`], [`Permit::new`]; `testkit` has its conformance suite |
//!
//! # The words
//!
//! *Maximum*: how many may hold a key at once. It is the caller's, not stored: each sees only the slots below its own
//! maximum. Callers that differ, as during a deployment, may hold as many as the largest says; lowering it takes nothing
//! from who holds (S11).
//!
//! *Lease*: how long a slot is held unless it is renewed, and so how long a dead holder keeps it. A [`Permit`] renews itself
//! every third of it. Short leases free the slots of the dead soon and cost calls; a minute is a fair choice.
//!
//! *Fencing token*: a number that grows with every grant of a slot, also when a slot was collected and made again.
//!
//! # What a lease can't do
//!
//! A process that is frozen, by a signal, a long collection of garbage or a suspended machine, does not notice that its
//! lease runs out; another has the slot by the time it goes on, and for a moment both act. No lease prevents that. The
//! fencing token does: write it beside what the permit protects, in the same statement, and refuse a write under
//! a smaller one. For a maximum of one that is exact; for a larger one each slot has numbers of its own. The same
//! holds for [force](Holders::force_release), for a database whose clock is set forward, and for one that forgot what it had
//! committed.
//!
//! # Guarantees
//!
//! | | |
//! | --- | --- |
//! | S1 | never more than the maximum of unexpired permits of a key, over any number of processes |
//! | S2 | trying never waits for a holder, and a free slot is found |
//! | S3 | every grant has a token of its own, and a larger fencing token than every earlier one of its slot |
//! | S4 | what is held and unexpired nobody else gets; a dead holder's slot is free when its lease ends |
//! | S5 | a release frees at once; a stale one is *lost*, and changes nothing for the new holder |
//! | S6 | a lease that has run out is not renewed, though nobody took the slot |
//! | S7 | the database's clock alone decides |
//! | S8 | the holder hears of a loss before its lease can end |
//! | S9 | renewal runs apart from the work, outlives passing errors, and ends at the maximum hold time |
//! | S10 | whatever is dropped at any await point leaves its slot free or expiring |
//! | S11 | lowering the maximum revokes nothing |
//! | S12 | keys are 1 to 255 bytes of printable ASCII, compared byte for byte; all arguments are checked first |
//! | S13 | keys that are no longer used can be collected, and their fencing tokens never come again |
//! | S14 | it works through a transaction-pooling proxy, and inside no transaction of the caller's |
//! | S15 | no deadlock reaches the caller |

#![cfg_attr(docsrs, feature(doc_cfg))]

mod clock;
mod error;
mod fencing_token;
mod grant;
mod holder;
mod holders;
mod key;
mod lessor;
mod memory;
#[cfg(feature = "mock")]
mod mock;
mod permit;
mod permit_token;
mod renewal;
mod renewal_thread;
mod request;
mod semaphore;
mod semaphore_ext;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
mod sql;

pub use error::{SemaphoreError, SemaphoreErrorKind};
pub use fencing_token::FencingToken;
pub use grant::Grant;
pub use holder::Holder;
pub use holders::Holders;
pub use key::SemaphoreKey;
pub use lessor::Lessor;
pub use memory::{MemoryCounts, MemorySemaphore};
pub use permit::Permit;
pub use permit_token::PermitToken;
pub use renewal::Renewal;
pub use renewal_thread::RenewalThread;
pub use request::{Lease, Max, PermitRequest, lease, max};
pub use semaphore::Semaphore;
pub use semaphore_ext::SemaphoreExt;

#[cfg(feature = "mock")]
pub use mock::*;

#[cfg(feature = "mysql")]
pub use sql::MySqlSemaphore;
#[cfg(feature = "postgres")]
pub use sql::PgSemaphore;
#[cfg(feature = "sqlite")]
pub use sql::SqliteSemaphore;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
pub use sql::{Dialect, SqlSemaphore};
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
pub use sqlx;

pub use async_trait::async_trait;
pub use tokio_util::sync::CancellationToken;
