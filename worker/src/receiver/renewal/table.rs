//! The messages that are kept invisible, by when their next renewal is due.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::Lease;

#[derive(Debug, Default)]
pub(crate) struct Table {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    ids: u64,
    /// When each message is due; `None` while its renewal is under way.
    held: HashMap<u64, Option<Instant>>,
    due: BTreeMap<(Instant, u64), Arc<Lease>>,
}

impl Table {
    pub(super) fn next_id(&self) -> u64 {
        let mut state = self.lock();
        state.ids += 1;
        state.ids
    }

    pub(super) fn insert(&self, id: u64) {
        self.lock().held.insert(id, None);
    }

    /// Sets when a message is due, unless it was removed meanwhile.
    pub(super) fn schedule(&self, lease: &Arc<Lease>, at: Instant) {
        let mut state = self.lock();
        let Some(due) = state.held.get_mut(&lease.id()) else { return };
        if let Some(before) = due.replace(at) {
            state.due.remove(&(before, lease.id()));
        }
        let first = state.next_due().is_none_or(|next| at < next);
        state.due.insert((at, lease.id()), Arc::clone(lease));
        if first {
            self.changed.notify_one();
        }
    }

    pub(super) fn remove(&self, id: u64) {
        let mut state = self.lock();
        if let Some(Some(due)) = state.held.remove(&id) {
            state.due.remove(&(due, id));
        }
    }

    /// Waits until a message is due, however the table changes meanwhile.
    pub(super) async fn until_due(&self) {
        loop {
            let next = self.lock().next_due();
            match next {
                None => self.changed.notified().await,
                Some(at) => tokio::select! {
                    () = sleep_until(at) => return,
                    () = self.changed.notified() => {}
                },
            }
        }
    }

    /// Takes what is due, and what is due within an eighth of its visibility timeout, to fill the batch.
    pub(super) fn take_due(&self, now: Instant) -> Vec<Arc<Lease>> {
        let mut state = self.lock();
        let soon = state.due.first_key_value().map_or(Duration::ZERO, |(_, lease)| lease.visibility() / 8);
        let later = state.due.split_off(&(now + soon, u64::MAX));
        let taken: Vec<_> = std::mem::replace(&mut state.due, later).into_values().collect();
        for lease in &taken {
            state.held.insert(lease.id(), None);
        }
        taken
    }

    pub(super) fn len(&self) -> usize {
        self.lock().held.len()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn next_due(&self) -> Option<Instant> {
        self.due.first_key_value().map(|((at, _), _)| *at)
    }
}
