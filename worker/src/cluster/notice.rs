//! The notice that a permit's holder posts beside its permit: whether the gate is open.

use std::fmt;
use std::str::FromStr;

use crate::identity::{fit, process_name};

/// Whether the gate is open, and which opening of its holder that is, or was the last: `open 17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Notice {
    pub(super) open: bool,
    pub(super) count: u64,
}

impl Notice {
    /// The notice as it stands beside the permit, with whose it is: `open 17 web-7/4711`.
    pub(super) fn signed(self) -> String {
        fit(&format!("{self} {}", process_name()))
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.open { "open" } else { "closed" }, self.count)
    }
}

/// What is not a notice.
#[derive(Debug)]
pub(super) struct Illegible;

impl FromStr for Notice {
    type Err = Illegible;

    fn from_str(text: &str) -> Result<Self, Illegible> {
        let mut words = text.split_whitespace();
        let open = match words.next() {
            Some("open") => true,
            Some("closed") => false,
            _ => return Err(Illegible),
        };
        let count = words.next().and_then(|word| word.parse().ok()).ok_or(Illegible)?;
        Ok(Self { open, count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // G9
    #[test]
    fn what_is_signed_is_read_and_what_is_not_a_notice_is_refused() {
        for notice in [Notice { open: true, count: 17 }, Notice { open: false, count: 0 }] {
            assert_eq!(notice.signed().parse::<Notice>().unwrap(), notice);
        }
        for text in ["", "open", "open x", "ajar 3", "web-7/4711/search-index"] {
            assert!(text.parse::<Notice>().is_err(), "{text:?}");
        }
    }
}
