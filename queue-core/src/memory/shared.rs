//! What the clones of a memory queue share.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use tokio::time::Instant;

use super::engine::{Engine, Received, Wanted};
use super::key::Key;
use super::line::{Line, Outlook};
use super::settings::Settings;
use super::{MemoryClock, MemoryCounts};
use crate::{Message, Receipt};

/// The state behind its lock. No lock is held across an await. A queue's lock may be held while its dead-letter
/// queue's is taken, never the other way round, and there is no circle of such queues. The settings are read and written
/// last of all, so that nobody waits for another lock with theirs.
pub(super) struct Shared {
    settings: RwLock<Arc<Settings>>,
    pub(super) clock: MemoryClock,
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
        let clock = settings.clock();
        let state = State { engine: Engine::new(settings.rules()), line: Line::default() };
        let settings = RwLock::new(Arc::new(settings));
        Self { settings, clock, state: Mutex::new(state), unsettled_drops: AtomicU64::new(0) }
    }

    /// What the queue is set to now.
    pub(super) fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.settings.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Sets the queue anew. Rules and settings change at one moment, so that no message is given up to nobody.
    pub(super) fn set(&self, settings: Settings) {
        self.act(|state, _now| {
            state.engine.set_rules(settings.rules());
            *self.settings.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
        });
    }

    /// Acts on the state at one moment, then calls who is concerned. The clock is read under the lock, so that the
    /// state never sees it go back.
    pub(super) fn act<T>(&self, act: impl FnOnce(&mut State, Instant) -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.clock.now();
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
        if let Some(dead_letter) = &self.settings().dead_letter
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
        self.settings()
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
