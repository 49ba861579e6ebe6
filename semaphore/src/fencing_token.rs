//! A fencing token: the number by which a protected resource tells a present holder from a former one.

use std::fmt;

/// A number that grows with every grant of a key and slot (S3).
///
/// Write it beside what the permit protects, and let the resource refuse a write under a smaller one. For a maximum of
/// one it is larger than every earlier one of the key; for a larger maximum it orders the grants of one slot only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FencingToken(u64);

impl FencingToken {
    /// Takes over a number as the backend counted it.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for FencingToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
