//! The watch over handlers: what they did, and whether two had one message at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use queue_core::{Context, MessageId};

/// What handlers did. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    shifts: u64,
    /// The handlers that run, by message.
    running: BTreeMap<MessageId, BTreeMap<u64, Context>>,
    /// The bodies of the messages that were handled.
    done: BTreeSet<String>,
    clashes: Vec<String>,
}

impl Watch {
    /// Notes that a handler starts. It is a clash if another has the message, whose lease is valid as far as it knows.
    pub(crate) fn begin(&self, context: &Context) -> Shift {
        let mut state = self.lock();
        state.shifts += 1;
        let (number, id) = (state.shifts, context.message().id().clone());
        let others = state.running.entry(id.clone()).or_default();
        let valid = |other: &Context| !other.cancelled().is_cancelled() && !other.remaining().is_zero();
        let clash = others.values().find(|other| valid(other)).map(|other| format!("{other:?}"));
        others.insert(number, context.clone());
        state.clashes.extend(clash);
        Shift { watch: self.clone(), id, number }
    }

    /// Notes that a message was handled.
    pub(crate) fn done(&self, context: &Context) {
        self.lock().done.insert(context.message().body().to_owned());
    }

    /// The bodies of the messages that were handled.
    pub(crate) fn all_done(&self) -> BTreeSet<String> {
        self.lock().done.clone()
    }

    pub(crate) fn assert_no_clash(&self) {
        assert_eq!(self.lock().clashes, [""; 0], "two handlers at once");
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A handler at work, until it returns or is dropped.
#[derive(Debug)]
pub(crate) struct Shift {
    watch: Watch,
    id: MessageId,
    number: u64,
}

impl Drop for Shift {
    fn drop(&mut self) {
        let mut state = self.watch.lock();
        if let Some(running) = state.running.get_mut(&self.id) {
            running.remove(&self.number);
        }
    }
}
