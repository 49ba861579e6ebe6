//! The calls that came to the server, counted.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

/// How many calls came, by operation. A call counts when it comes, whatever becomes of it; what is no call of a service,
/// or lacks its authorization, doesn't count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Calls {
    /// The calls that work with messages, such as `SendMessageBatch` and `Publish`.
    pub calls: BTreeMap<String, u64>,
    /// The calls that manage queues and topics, such as `CreateQueue` and `Subscribe`.
    pub setup: BTreeMap<String, u64>,
}

impl Calls {
    /// The calls of an operation of either kind.
    pub fn of(&self, operation: &str) -> u64 {
        [&self.calls, &self.setup].into_iter().filter_map(|kind| kind.get(operation)).sum()
    }

    /// The calls that work with messages.
    pub fn total(&self) -> u64 {
        self.calls.values().sum()
    }
}

/// The count as it grows.
#[derive(Debug, Default)]
pub(super) struct Ledger(Mutex<Calls>);

impl Ledger {
    pub(super) fn note(&self, operation: &str, is_setup: bool) {
        let mut calls = self.lock();
        let kind = if is_setup { &mut calls.setup } else { &mut calls.calls };
        // The name is only copied the first time that it comes.
        match kind.get_mut(operation) {
            Some(count) => *count += 1,
            None => drop(kind.insert(operation.to_owned(), 1)),
        }
    }

    pub(super) fn calls(&self) -> Calls {
        self.lock().clone()
    }

    pub(super) fn reset(&self) {
        *self.lock() = Calls::default();
    }

    fn lock(&self) -> MutexGuard<'_, Calls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
