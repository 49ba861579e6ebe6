//! An entry of a ledger: who did what, and in which order.

use serde::{Deserialize, Serialize};

/// A line of a ledger.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Entry {
    /// The run of a program that wrote it; 0 is the test itself.
    pub(crate) run: u64,
    /// The how-manieth entry of that run it is, from 1.
    pub(crate) nth: u64,
    /// What was done.
    #[serde(flatten)]
    pub(crate) what: What,
}

/// What was done.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub(crate) enum What {
    /// It is about to be sent; whether it was is unknown until `Sent`.
    Sending(Piece),
    /// It was sent for certain.
    Sent(Piece),
    /// Work on it began.
    Started(Piece),
    /// Its effect is there.
    Finished(Piece),
    /// Work on it ended without an effect.
    Failed(Piece),
    /// The test is about to kill that run.
    Dying { victim: u64 },
    /// That run has ended.
    Dead { victim: u64 },
}

/// A piece of work: its key, within which order counts, and its number, which rises within the key.
#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub(crate) struct Piece {
    /// Its key.
    pub(crate) key: String,
    /// Its number.
    pub(crate) number: u64,
}
