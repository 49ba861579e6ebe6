//! The number behind a message id or a delivery.

use std::fmt;

use uuid::Uuid;

/// The low bits count, the others are random and tell one counter from all others.
const COUNTING_BITS: u32 = 48;

/// A number that no other message and no other delivery of any queue has. Keys of one counter rise.
///
/// Written, it is a UUID whose last group is the count, so that a test can read which message came first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u128);

impl Key {
    /// Reads a key as [`Display`](fmt::Display) writes it.
    pub(super) fn read(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(|uuid| Self(uuid.as_u128()))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Uuid::from_u128(self.0), f)
    }
}

/// Gives out keys, each once.
#[derive(Debug)]
pub(super) struct Counter {
    origin: u128,
    given: u64,
}

impl Counter {
    pub(super) fn new() -> Self {
        Self { origin: Uuid::new_v4().as_u128() >> COUNTING_BITS << COUNTING_BITS, given: 0 }
    }

    pub(super) fn next(&mut self) -> Key {
        self.given += 1;
        Key(self.origin | u128::from(self.given))
    }

    /// Whether this counter gave `key`.
    pub(super) fn gave(&self, key: Key) -> bool {
        key.0.checked_sub(self.origin).is_some_and(|count| (1..=u128::from(self.given)).contains(&count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_can_be_read_as_it_was_written() {
        let key = Counter::new().next();
        assert!(key.to_string().ends_with("-000000000001"));
        assert_eq!(Key::read(&key.to_string()), Some(key));
        assert_eq!(Key::read("17"), None);
    }

    #[test]
    fn a_counter_knows_its_own_keys_and_no_others() {
        let (mut ours, mut theirs) = (Counter::new(), Counter::new());
        let (first, second) = (ours.next(), ours.next());
        assert!(first < second);
        assert!(ours.gave(first) && ours.gave(second));
        assert!(!ours.gave(theirs.next()) && !ours.gave(Key(ours.origin)) && !ours.gave(Key(second.0 + 1)));
    }
}
