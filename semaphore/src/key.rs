//! A semaphore's key.

use std::fmt;
use std::sync::Arc;

use crate::SemaphoreError;

/// The longest key, in bytes: what the narrowest of the databases indexes without a prefix.
const LONGEST: usize = 255;

/// The name of a semaphore: 1 to 255 bytes of printable ASCII, no space at either end, compared byte for byte (S12).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SemaphoreKey(Arc<str>);

impl SemaphoreKey {
    /// Checks and takes a name.
    ///
    /// # Errors
    /// *Permanent*: says which rule it breaks and where.
    pub fn new(name: impl Into<Arc<str>>) -> Result<Self, SemaphoreError> {
        let name = name.into();
        let refuse = |why: String| Err(SemaphoreError::permanent(format!("semaphore key {name:?} {why}")));
        if name.is_empty() || name.len() > LONGEST {
            return refuse(format!("has {} bytes; 1 to {LONGEST} are allowed", name.len()));
        }
        if let Some(at) = name.bytes().position(|byte| !(b' '..=b'~').contains(&byte)) {
            return refuse(format!("has a character at byte {at} that is not printable ASCII"));
        }
        if name.starts_with(' ') || name.ends_with(' ') {
            return refuse("begins or ends with a space, which some databases would ignore".to_owned());
        }
        Ok(Self(name))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SemaphoreKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for SemaphoreKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SemaphoreKey({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // S12, TS15
    #[test]
    fn a_key_is_printable_ascii_of_a_bounded_length() {
        let longest = "k".repeat(LONGEST);
        for good in ["a", "A", "search-index", "outbox:x:3", "a b", "~!", longest.as_str()] {
            assert_eq!(SemaphoreKey::new(good).unwrap().as_str(), good);
        }
        let long = "k".repeat(LONGEST + 1);
        for bad in ["", " a", "a ", "ä", "a\tb", "a\0", long.as_str()] {
            let error = SemaphoreKey::new(bad).unwrap_err();
            assert_eq!(error.kind(), crate::SemaphoreErrorKind::Permanent, "{bad:?}");
        }
    }
}
