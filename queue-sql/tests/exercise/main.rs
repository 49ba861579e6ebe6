//! One exercise suite over all SQL databases: what the conformance suites can't see, because it takes many messages, SQL,
//! several handles of one database, or a process of its own.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "the helpers of tests fail as tests do")]

mod attempts;
mod database;
mod dead_letters;
mod deduplication;
mod delivery;
mod each;
mod groups;
mod hanging;
mod keeping;
mod neighbours;
mod receivers;
mod setting_up;
mod support;
mod transactions;
