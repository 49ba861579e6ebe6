//! Kills, freezes and restarts of a real process, and what the ledger says of them.

mod frozen;
mod points;
mod toy;
