//! The gate of one worker class: its state, and the workers that wait at it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::yield_now;

use crate::{Outcome, Turn};

/// An answer that came within this time was not waited for: the messages were there already.
const AT_ONCE: Duration = Duration::from_millis(250);
/// So many receives in a row that brought something at once open the gate (G3).
const QUICK_IN_A_ROW: u32 = 3;

#[derive(Debug, Default)]
pub(super) struct ClassGate {
    state: Mutex<State>,
}

/// A waiting worker: its number first, so that the lowest comes first, then a ticket, as names may be used twice.
type Place = (u32, u64);

#[derive(Debug, Default)]
struct State {
    open: bool,
    /// The acting master is polling.
    master: bool,
    /// There is no acting master here: it is elsewhere.
    suspended: bool,
    quick: u32,
    tickets: u64,
    waiting: BTreeMap<Place, Arc<Notify>>,
}

impl ClassGate {
    pub(super) fn is_open(&self) -> bool {
        self.lock().open
    }

    pub(super) fn set_open(&self, open: bool) {
        let mut state = self.lock();
        state.open = open;
        state.quick = 0;
        state.wake();
    }

    pub(super) fn set_suspended(&self, suspended: bool) {
        let mut state = self.lock();
        state.suspended = suspended;
        state.wake();
    }

    pub(super) async fn enter(self: Arc<Self>, number: u32) -> Turn {
        if let Some(turn) = self.try_enter(number) {
            return turn;
        }
        let waiter = Waiter::join(&self, number);
        loop {
            waiter.woken.notified().await;
            // A master that has just reported comes back at once; give it the chance to, so that it stays master.
            if number != 0 {
                yield_now().await;
            }
            if let Some(turn) = self.try_enter(number) {
                return turn;
            }
        }
    }

    /// G2: the acting master may always poll, another worker while the gate is open.
    fn try_enter(self: &Arc<Self>, number: u32) -> Option<Turn> {
        let mut state = self.lock();
        let lowest = state.waiting.first_key_value().is_none_or(|(place, _)| number <= place.0);
        let master = !state.master && !state.suspended && lowest;
        state.master |= master;
        if !master && !state.open {
            return None;
        }
        let gate = Arc::clone(self);
        Some(Turn::new(move |outcome| gate.end(master, outcome)))
    }

    fn end(&self, master: bool, outcome: Option<Outcome>) {
        let mut state = self.lock();
        state.master &= !master;
        if let Some(outcome) = outcome {
            state.judge(master, outcome);
        }
        state.wake();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// G3, G7: what a poll's outcome does to the gate.
    fn judge(&mut self, master: bool, outcome: Outcome) {
        match outcome {
            Outcome::Received { got: 0, .. } => {
                self.open = false;
                self.quick = 0;
            }
            Outcome::Received { asked, got, waited } if master => {
                self.quick = if waited < AT_ONCE { self.quick + 1 } else { 0 };
                self.open |= got * 2 >= asked || self.quick >= QUICK_IN_A_ROW;
            }
            Outcome::Received { .. } | Outcome::Failed => {}
        }
    }

    /// Wakes whoever may poll now. A wake-up is kept until it is used, so none is lost (G4).
    fn wake(&self) {
        if self.open {
            self.waiting.values().for_each(|woken| woken.notify_one());
        } else if !self.master
            && !self.suspended
            && let Some((_, woken)) = self.waiting.first_key_value()
        {
            woken.notify_one();
        }
    }
}

/// A worker's place at the gate. Dropping it passes a wake-up on.
struct Waiter<'a> {
    gate: &'a ClassGate,
    place: Place,
    woken: Arc<Notify>,
}

impl<'a> Waiter<'a> {
    fn join(gate: &'a ClassGate, number: u32) -> Self {
        let mut state = gate.lock();
        state.tickets += 1;
        let place = (number, state.tickets);
        let woken = Arc::new(Notify::new());
        state.waiting.insert(place, Arc::clone(&woken));
        state.wake();
        Self { gate, place, woken }
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        let mut state = self.gate.lock();
        state.waiting.remove(&self.place);
        state.wake();
    }
}

#[cfg(test)]
mod tests;
