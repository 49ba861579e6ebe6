//! What is particular to SQLite: one writer for a file, files that are none, and what calls cost.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

mod cost;
mod files;
mod migrations;
mod place;
mod recorder;
mod sharing;
