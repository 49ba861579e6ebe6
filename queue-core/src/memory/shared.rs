//! What the clones of a memory queue share.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use tokio::time::Instant;

use super::MemoryCounts;
use super::engine::{Engine, Received, Wanted};
use super::key::Key;
use super::line::{Line, Outlook};
use super::settings::Settings;
use crate::clock::WallClock;
use crate::{Message, Receipt};

/// The state behind its lock. No lock is held across an await. A queue's lock may be held while its dead-letter
/// queue's is taken, never the other way round; as dead-letter queues are built first, there is no circle.
pub(super) struct Shared {
    pub(super) settings: Settings,
    pub(super) clock: WallClock,
    state: Mutex<State>,
    unsettled_drops: AtomicU64,
}

pub(super) struct State {
    pub(super) engine: Engine,
    pub(super) line: Line,
}

impl State {
    pub(super) fn outlook(&self, now: Instant) -> Outlook {
        Outlook { now, deliverable: self.engine.is_deliverable(), next: self.engine.next_deliverable_at() }
    }
}

impl Shared {
    pub(super) fn new(settings: Settings) -> Self {
        let state = State { engine: Engine::new(settings.rules()), line: Line::default() };
        Self {
            settings,
            clock: WallClock::start(),
            state: Mutex::new(state),
            unsettled_drops: AtomicU64::new(0),
        }
    }

    /// Acts on the state at one moment, then calls who is concerned. The clock is read under the lock, so that the
    /// state never sees it go back.
    pub(super) fn act<T>(&self, act: impl FnOnce(&mut State, Instant) -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        state.engine.advance(now);
        let answer = act(&mut state, now);
        let outlook = state.outlook(now);
        state.line.rouse(outlook);
        answer
    }

    /// Receives, and moves to the dead-letter queue what was delivered too often. Both under one lock: a message is
    /// in one queue or in the other at any moment.
    pub(super) fn take(&self, engine: &mut Engine, wanted: &Wanted, now: Instant) -> Vec<(Message, Receipt)> {
        let Received { deliveries, dead } = engine.receive(wanted, now);
        if let Some(dead_letter) = &self.settings.dead_letter
            && !dead.is_empty()
        {
            dead_letter.queue.shared().act(|other, now| {
                for stored in dead {
                    other.engine.take_in(stored, now);
                }
            });
        }
        deliveries
    }

    /// Whether a message is here or in the dead-letter queue, or in that one's own.
    pub(super) fn holds(&self, message: Key) -> bool {
        self.act(|state, _now| state.engine.holds(message)) || self.dead_letter_holds(message)
    }

    /// Whether a message that is here no longer was moved, and is still there.
    pub(super) fn dead_letter_holds(&self, message: Key) -> bool {
        self.settings
            .dead_letter
            .as_ref()
            .is_some_and(|dead_letter| dead_letter.queue.shared().holds(message))
    }

    /// Takes no lock: it is called from `Drop` (Q12).
    pub(super) fn count_unsettled_drop(&self) {
        self.unsettled_drops.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn counts(&self) -> MemoryCounts {
        let unsettled_drops = self.unsettled_drops.load(Ordering::Relaxed);
        self.act(|state, _now| MemoryCounts {
            expired: state.engine.expired(),
            dead_lettered: state.engine.dead_lettered(),
            unsettled_drops,
        })
    }
}

/// How many messages there are, not each of them: whoever prints a delivery prints this too.
impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let depth = self.act(|state, now| state.engine.depth(now));
        f.debug_struct("MemoryQueue").field("depth", &depth).finish_non_exhaustive()
    }
}
