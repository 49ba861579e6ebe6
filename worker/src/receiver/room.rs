//! The room for messages: what is reserved by polls, what waits for a slot, and what slots can take.

mod buffer;
mod pace;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use queue_core::ReceiveLimits;
use tokio::sync::{Notify, Semaphore};
use tokio::time::Instant;

use super::Settings;
use super::held::Held;
use buffer::Buffer;
use pace::Pace;

/// A buffered message should start within this part of its visibility timeout.
const START_WITHIN: u32 = 10;

/// On an ordered queue so many batches may wait behind their heads without taking room from others. No other process
/// could start them, as their groups are in flight here.
const BEHIND: usize = 10;

/// How much there is room for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) slots: usize,
    /// The most messages that one slot takes at once.
    pub(crate) per_slot: usize,
    pub(crate) batch: usize,
    pub(crate) prefetch: usize,
    pub(crate) visibility: Duration,
    pub(crate) ordered: bool,
}

impl Size {
    pub(crate) fn new(settings: &Settings, limits: &ReceiveLimits, per_slot: usize) -> Self {
        Self {
            slots: settings.slots(),
            per_slot,
            batch: settings.batch.unwrap_or(limits.batch).min(limits.batch),
            prefetch: settings.prefetch.unwrap_or(usize::MAX),
            visibility: settings.visibility.unwrap_or(limits.visibility),
            ordered: limits.ordered,
        }
    }
}

/// The room of one receiver (W9).
///
/// A poll reserves the room that it asks for. What is reserved and what waits for a slot is together never more than
/// free slots can take at once and the prefetch.
#[derive(Debug)]
pub(crate) struct Room {
    size: Size,
    state: Mutex<State>,
    /// One permit for each message that is ready.
    items: Semaphore,
    space: Notify,
}

#[derive(Debug)]
struct State {
    open: bool,
    waiting: Buffer,
    reserved: usize,
    /// Pollers that want room or have it reserved.
    polling: usize,
    /// The last poll brought at least half of what it asked for.
    backlog: bool,
    pace: Pace,
}

impl Room {
    pub(crate) fn new(size: Size) -> Self {
        let state = State {
            open: true,
            waiting: Buffer::new(size.ordered),
            reserved: 0,
            polling: 0,
            backlog: false,
            pace: Pace::new(Instant::now()),
        };
        Self { size, state: Mutex::new(state), items: Semaphore::new(0), space: Notify::new() }
    }

    pub(crate) fn buffered(&self) -> usize {
        self.lock().waiting.len()
    }

    /// Waits until there is room: for a full batch while there is a backlog, for any message otherwise.
    pub(crate) async fn reserve(&self) -> Reservation<'_> {
        self.lock().polling += 1;
        let mut reservation = Reservation { room: self, asked: 0 };
        loop {
            let space = self.space.notified();
            if let Some(asked) = self.lock().try_reserve(self.size) {
                reservation.asked = asked;
                self.space.notify_one(); // there may be more for the next
                return reservation;
            }
            space.await;
        }
    }

    /// Puts what a poll brought before the slots; gives it back if the room was closed meanwhile.
    pub(crate) fn fill(&self, reservation: Reservation<'_>, held: Vec<Held>) -> Vec<Held> {
        let ready = {
            let mut state = self.lock();
            if !state.open {
                return held;
            }
            state.backlog = !held.is_empty() && held.len() * 2 >= reservation.asked;
            held.into_iter().map(|held| state.waiting.push(held)).filter(|ready| *ready).count()
        };
        drop(reservation);
        self.items.add_permits(ready);
        Vec::new()
    }

    /// Waits for messages and takes up to `size.per_slot` of them; `None` once the room is closed.
    pub(crate) async fn take(&self) -> Option<(Vec<Held>, Busy<'_>)> {
        self.items.acquire().await.ok()?.forget();
        let mut count = 1;
        while count < self.size.per_slot
            && let Ok(more) = self.items.try_acquire()
        {
            more.forget();
            count += 1;
        }
        let busy = Busy { room: self, started: Instant::now() };
        let taken = self.lock().start(count, busy.started);
        self.space.notify_one();
        (!taken.is_empty()).then_some((taken, busy))
    }

    /// Keeps a failed head of an ordered group that others wait behind, until [`wake`](Self::wake). Gives back what
    /// needn't be kept: nothing waits behind it.
    pub(crate) fn rest(&self, held: Held) -> Option<Held> {
        let Some(group) = held.group().filter(|_| self.size.ordered).map(str::to_owned) else {
            return Some(held);
        };
        let mut state = self.lock();
        if !state.open || !state.waiting.has_behind(&group) {
            return Some(held);
        }
        state.waiting.rest(group, held);
        None
    }

    /// Makes the head that rests in a group ready for its next try.
    pub(crate) fn wake(&self, group: &str) {
        let woken = self.lock().waiting.wake(group);
        self.items.add_permits(usize::from(woken));
    }

    /// Lets the next of an ordered group follow its head, which is settled.
    pub(crate) fn advance(&self, group: &str) {
        let ready = self.lock().waiting.advance(group);
        self.items.add_permits(usize::from(ready));
    }

    /// Hands over those that wait behind a head that was lost.
    pub(crate) fn break_off(&self, group: &str) -> Vec<Held> {
        let lane = self.lock().waiting.break_off(group);
        self.space.notify_one();
        lane
    }

    /// Lets nothing more in or out, and hands over what still waits.
    pub(crate) fn close(&self) -> Vec<Held> {
        let mut state = self.lock();
        state.open = false;
        self.items.close();
        state.waiting.drain()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn try_reserve(&mut self, size: Size) -> Option<usize> {
        let prefetch = self.prefetch(size, Instant::now());
        let free = size.slots.saturating_sub(self.pace.running()) * size.per_slot;
        let room = (free + prefetch).saturating_sub(self.waiting.crowd(size.batch * BEHIND) + self.reserved);
        let least = if self.backlog { size.batch.min(prefetch.max(1)) } else { 1 };
        (room >= least).then(|| {
            let asked = room.min(size.batch);
            self.reserved += asked;
            asked
        })
    }

    /// How many messages may wait for a slot: one batch for each polling poller, and no more than slots are likely to
    /// start within a tenth of the visibility timeout. While there is a backlog and no handler has ended yet, one batch.
    fn prefetch(&self, size: Size, now: Instant) -> usize {
        let polls = if self.backlog && !self.pace.is_known() { 1 } else { self.polling };
        let starts = self.pace.starts(size.slots * size.per_slot, size.visibility / START_WITHIN, now);
        (size.batch * polls).min(starts.unwrap_or(usize::MAX)).min(size.prefetch)
    }

    fn start(&mut self, count: usize, now: Instant) -> Vec<Held> {
        self.pace.begin(now);
        self.waiting.take(count)
    }
}

/// Room that a poll has reserved.
///
/// # Drop
/// Gives the room back.
#[derive(Debug)]
pub(crate) struct Reservation<'a> {
    room: &'a Room,
    pub(crate) asked: usize,
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut state = self.room.lock();
        state.polling -= 1;
        state.reserved -= self.asked;
        drop(state);
        self.room.space.notify_one();
    }
}

/// A slot at work.
///
/// # Drop
/// Makes the slot free again.
#[derive(Debug)]
pub(crate) struct Busy<'a> {
    room: &'a Room,
    started: Instant,
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.room.lock().pace.end(self.started, Instant::now());
        self.room.space.notify_one();
    }
}
