//! What an ordered topic remembers: its numbers, and what was published in the last five minutes.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

/// How long a deduplication id counts (Amazon SNS Developer Guide, "Amazon SNS message deduplication for FIFO topics").
const WINDOW: Duration = Duration::from_mins(5);
/// Where the numbers begin: the service's have twenty digits.
const FIRST: u64 = 10_000_000_000_000_000_000;

/// A deduplication id with its group, where it counts within its group only.
type Key = (Option<String>, String);

/// What a publish was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Receipt {
    pub(super) message_id: String,
    /// The number of a message to an ordered topic.
    pub(super) sequence: Option<String>,
}

#[derive(Debug, Default)]
pub(super) struct Once {
    published: u64,
    known: HashMap<Key, Receipt>,
    /// The keys of `known`, and when they are forgotten.
    forgotten: VecDeque<(Instant, Key)>,
}

impl Once {
    /// What was answered when this was published before, if that is to be remembered.
    pub(super) fn known(&mut self, key: &Key, now: Instant) -> Option<Receipt> {
        while let Some((_, key)) = self.forgotten.pop_front_if(|(until, _)| *until <= now) {
            self.known.remove(&key);
        }
        self.known.get(key).cloned()
    }

    /// Gives it a number and remembers it.
    pub(super) fn publish(&mut self, key: Key, message_id: String, now: Instant) -> Receipt {
        let sequence = Some((FIRST + self.published).to_string());
        self.published += 1;
        let receipt = Receipt { message_id, sequence };
        self.known.insert(key.clone(), receipt.clone());
        self.forgotten.push_back((now + WINDOW, key));
        receipt
    }
}
