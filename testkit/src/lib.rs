//! Conformance suites for people who write backends: this crate is about the contract, clause by clause, as tests.
//!
//! Each clause of the contract of [`queue_core`] is one named test for each backend. A backend declares by
//! [`Promises`] what it promises; a clause that it doesn't promise shows as *ignored*, with the reason, and never as
//! passed.
//!
//! # A backend's own test
//!
//! In its `Cargo.toml`, as the suite brings its own `main`:
//!
//! ```toml
//! [[test]]
//! name = "conformance"
//! harness = false
//! ```
//!
//! In `tests/conformance.rs`:
//!
//! ```
//! use queue_core::MasterGate;
//!
//! testkit::conformance!(gate, || MasterGate::new());
//! ```
//!
//! A queue says what it promises, and takes a [`Setup`] where it can be set up (visibility timeout, retention,
//! dead-letter queue); see [`Fixture`] for what a factory may answer. Several backends in one test have names:
//!
//! ```no_run
//! use queue_core::{MasterGate, MemoryQueue, OpenGate};
//! use testkit::Promises;
//!
//! testkit::conformance! {
//!     memory: queue(Promises::standard().paused_clock(), || async { MemoryQueue::new() }),
//!     master: gate(Promises::gated(), MasterGate::new),
//!     open: gate(Promises::ungated(), || OpenGate),
//! }
//! ```
//!
//! The tests are then called `memory::a_deleted_message_never_comes_back`. A filter, `--list`, `--ignored` and
//! `cargo nextest` work as usual; nextest skips what is ignored and, told to run it with `--run-ignored`, calls it
//! passed, since it knows no word for a test that does not apply. A topic is tested as a queue too: by a type that publishes to the topic and
//! receives from a queue that is subscribed to it.
//!
//! An ordered queue has a suite of its own beside that, [`ordered_queue`](fn@ordered_queue), whose clauses ask for queues
//! with [`Setup::ordered`].
//!
//! With the feature `semaphore` there is a suite for the crate of that name too: see `SemaphoreFixture`.
//!
//! # A service's own tests
//!
//! [`Faulty`] puts a script of faults before any queue or topic; [`matrix`](matrix()) drops calls at each of their await
//! points, in every combination with what the queue does meanwhile.

#![expect(clippy::expect_used, clippy::panic, reason = "a clause fails by panicking, as a test does")]

mod check;
mod clause;
mod conformance;
mod faulty;
mod gate;
mod matrix;
mod pace;
mod promises;
mod queue;
mod run;
#[cfg(feature = "semaphore")]
mod semaphore;
#[cfg(feature = "server")]
pub mod server;
mod suite;
mod trials;

#[cfg(feature = "semaphore")]
pub use crate::semaphore::{SemaphoreFactory, SemaphoreFixture, SemaphorePromise, semaphore};
pub use check::Check;
pub use faulty::{Call, CallKind, Fault, Faulty};
pub use gate::{GateFactory, GatePromise, gate};
pub use matrix::{Run, matrix};
pub use promises::Promises;
pub use queue::{Fixture, QueueFactory, QueuePromise, Setup, ordered_queue, queue};
pub use suite::Suite;
pub use trials::main;
