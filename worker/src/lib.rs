//! Runs handlers on a queue: gated pollers, handler slots, renewal, back-off, and a shutdown that loses nothing.

mod account;
mod backoff;
mod receiver;
mod shutdown_signal;

pub use account::Account;
pub use backoff::Backoff;
pub use receiver::{Receiver, ReceiverBuilder, Running};
pub use shutdown_signal::shutdown_signal;

pub use queue_core::{BatchHandler, Context, Handler, Verdict, WorkerClass, handler, json};

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}
