//! The line between a test and its child: announcements of points one way, leave to go on the other way.
//!
//! It is a socket that is the child's standard input, so that whatever it prints can't be mistaken for it.

use std::fmt;

/// How long a line may be.
pub(crate) const LIMIT: u64 = 256;

/// The child is at a point and waits for leave to go on.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct At {
    /// The number of the announcement.
    pub(crate) id: u64,
    /// The point's name.
    pub(crate) point: String,
}

/// The child may go on from where this announcement was made.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Go(pub(crate) u64);

impl At {
    /// Reads a line without its end.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let (id, point) = line.strip_prefix("at ")?.split_once(' ')?;
        Some(Self { id: id.parse().ok()?, point: point.to_owned() }).filter(|at| is_name(&at.point))
    }
}

impl Go {
    /// Reads a line without its end.
    pub(crate) fn read(line: &str) -> Option<Self> {
        line.strip_prefix("go ")?.parse().ok().map(Self)
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "at {} {}", self.id, self.point)
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "go {}", self.0)
    }
}

/// Whether a point may have this name: 1 to 64 printable ASCII characters without spaces.
pub(crate) fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let at = At { id: 7, point: "after-publish".to_owned() };
        assert_eq!(At::read(at.to_string().trim_end()), Some(at));
        assert_eq!(Go::read(Go(7).to_string().trim_end()), Some(Go(7)));
    }

    #[test]
    fn anything_else_is_refused() {
        for line in
            ["", "at", "at 1", "at 1 ", "at x point", "at 1 two words", "at -1 x", "AT 1 x", "go 1", "\u{0}"]
        {
            assert_eq!(At::read(line), None, "{line:?}");
        }
        for line in ["", "go", "go ", "go x", "go 1 2", "at 1 x"] {
            assert_eq!(Go::read(line), None, "{line:?}");
        }
    }

    #[test]
    fn every_name_fits_into_a_line() {
        let longest = At { id: u64::MAX, point: "x".repeat(64) };
        assert!(is_name(&longest.point) && !is_name(&"x".repeat(65)));
        assert!(longest.to_string().len() as u64 <= LIMIT);
    }
}
