//! Tests of the coalesced queue, on a paused clock.

mod backend;
mod cancellation;
mod counts;
mod flush;
mod lifetime;
mod property;
mod publish;
mod retries;
mod settle;
