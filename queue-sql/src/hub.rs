//! The hub: the receives of this process that wait for messages, and what wakes them.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::store::QueueId;

/// A waiting receive's place in the line: the lower, the earlier it came.
type Ticket = u64;

/// The receives that wait, by queue, in the order in which they came.
///
/// A message that arrives wakes the first; one that took all it could wakes the next. A wake-up is kept until it is used.
#[derive(Debug, Default)]
pub struct Hub {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    tickets: Ticket,
    waiting: usize,
    asleep: HashMap<QueueId, BTreeMap<Ticket, Arc<Notify>>>,
}

impl Hub {
    /// Joins the line of a queue.
    pub(crate) fn join(self: &Arc<Self>, queue: QueueId) -> Waiter {
        let mut state = self.lock();
        state.tickets += 1;
        state.waiting += 1;
        let place = Place { queue, ticket: state.tickets, woken: Arc::default() };
        state.sleep(&place);
        Waiter { hub: Arc::clone(self), place, satisfied: false }
    }

    /// Wakes the first receive that waits at a queue.
    pub fn wake(&self, queue: QueueId) {
        self.lock().wake(queue);
    }

    /// The queues at which a receive sleeps.
    pub(crate) fn queues(&self) -> Vec<QueueId> {
        self.lock().asleep.keys().copied().collect()
    }

    /// Whether any receive is in a line, asleep or not.
    pub(crate) fn is_needed(&self) -> bool {
        self.lock().waiting > 0
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn sleep(&mut self, place: &Place) {
        self.asleep.entry(place.queue).or_default().insert(place.ticket, Arc::clone(&place.woken));
    }

    fn wake(&mut self, queue: QueueId) {
        let Some(line) = self.asleep.get_mut(&queue) else { return };
        if let Some((_, woken)) = line.pop_first() {
            woken.notify_one();
        }
        if line.is_empty() {
            self.asleep.remove(&queue);
        }
    }

    /// Takes a receive out of the line; whether it slept.
    fn leave(&mut self, place: &Place) -> bool {
        let Some(line) = self.asleep.get_mut(&place.queue) else { return false };
        let slept = line.remove(&place.ticket).is_some();
        if line.is_empty() {
            self.asleep.remove(&place.queue);
        }
        slept
    }
}

#[derive(Debug)]
struct Place {
    queue: QueueId,
    ticket: Ticket,
    woken: Arc<Notify>,
}

/// A receive's place in the line.
///
/// # Drop
/// Leaves the line. A wake-up that it got and did not use goes to the next.
#[derive(Debug)]
pub(crate) struct Waiter {
    hub: Arc<Hub>,
    place: Place,
    satisfied: bool,
}

impl Waiter {
    /// Waits until it is woken, then is in the line again at its old place.
    pub(crate) async fn woken(&self) {
        self.place.woken.notified().await;
        self.hub.lock().sleep(&self.place);
    }

    /// Notes that it got something; `more` wakes the next, as there may be more than it could take.
    pub(crate) fn satisfied(mut self, more: bool) {
        self.satisfied = true;
        if more {
            let mut state = self.hub.lock();
            state.leave(&self.place);
            state.wake(self.place.queue);
        }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut state = self.hub.lock();
        state.waiting -= 1;
        let slept = state.leave(&self.place);
        if !slept && !self.satisfied {
            state.wake(self.place.queue);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    fn is_woken(waiter: &Waiter) -> bool {
        waiter.woken().now_or_never().is_some()
    }

    // Q5
    #[test]
    fn a_message_wakes_the_first_in_line_and_one_that_took_all_it_could_wakes_the_next() {
        let hub = Arc::new(Hub::default());
        let [first, second, other] = [hub.join(1), hub.join(1), hub.join(2)];
        hub.wake(1);
        assert!(is_woken(&first) && !is_woken(&second) && !is_woken(&other));
        first.satisfied(true);
        assert!(is_woken(&second) && !is_woken(&other));
    }

    // Q5
    #[test]
    fn a_wake_up_that_was_not_used_goes_to_the_next() {
        let hub = Arc::new(Hub::default());
        let [first, second] = [hub.join(1), hub.join(1)];
        hub.wake(1);
        drop(first);
        assert!(is_woken(&second));
    }

    #[test]
    fn a_receive_that_left_leaves_nothing_behind() {
        let hub = Arc::new(Hub::default());
        let waiters = [hub.join(1), hub.join(1)];
        assert!(hub.is_needed() && hub.queues() == [1]);
        drop(waiters);
        assert!(!hub.is_needed() && hub.queues().is_empty() && hub.lock().asleep.is_empty());
    }
}
