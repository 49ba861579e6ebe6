//! A queue of the service: a memory queue, and what the service knows beyond that.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use queue_core::{Limits, MemoryClock, MemoryQueue, MemoryQueueBuilder, QueueError, Settler};
use tokio::time::Instant;
use uuid::Uuid;

use super::firsts::Firsts;
use super::name::Name;
use super::settings::Settings;

/// Room in memory for what the service adds to a message; its own limits are checked before.
const ROOM: usize = 8 << 20;
const ATTRIBUTES: usize = 16;

/// How long after a purge the next one is refused (Amazon SQS API Reference, `PurgeQueue`).
pub(super) const PURGE_PAUSE: Duration = Duration::from_mins(1);

/// A queue.
#[derive(Debug)]
pub(super) struct Queue {
    pub(super) name: Name,
    /// Tells its receipts from those of other queues.
    pub(super) id: Uuid,
    pub(super) memory: MemoryQueue,
    pub(super) created: SystemTime,
    pub(super) firsts: Firsts,
    pub(super) tags: Mutex<BTreeMap<String, String>>,
    /// Settles what was received; nothing was before.
    pub(super) settler: OnceLock<Arc<dyn Settler>>,
    state: RwLock<State>,
}

#[derive(Debug)]
struct State {
    settings: Arc<Settings>,
    modified: SystemTime,
    purged: Option<Instant>,
}

impl Queue {
    /// Makes an empty queue.
    pub(super) fn new(
        (name, clock): (Name, &MemoryClock),
        settings: Settings,
        dead_letter: Option<(&MemoryQueue, u32)>,
    ) -> Result<Self, QueueError> {
        let created = clock.at(clock.now());
        Ok(Self {
            name,
            id: Uuid::new_v4(),
            memory: builder(&settings, clock, dead_letter).build()?,
            created,
            firsts: Firsts::default(),
            tags: Mutex::default(),
            settler: OnceLock::new(),
            state: RwLock::new(State { settings: Arc::new(settings), modified: created, purged: None }),
        })
    }

    pub(super) fn with_tags(mut self, tags: BTreeMap<String, String>) -> Self {
        self.tags = Mutex::new(tags);
        self
    }

    pub(super) fn fifo(&self) -> bool {
        self.settings().fifo
    }

    pub(super) fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner).settings)
    }

    pub(super) fn modified(&self) -> SystemTime {
        self.state.read().unwrap_or_else(PoisonError::into_inner).modified
    }

    /// Sets it anew, also for the messages that it holds.
    pub(super) fn set(
        &self,
        settings: Settings,
        clock: &MemoryClock,
        dead_letter: Option<(&MemoryQueue, u32)>,
    ) -> Result<(), QueueError> {
        self.memory.reconfigure(builder(&settings, clock, dead_letter))?;
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        (state.settings, state.modified) = (Arc::new(settings), clock.at(clock.now()));
        Ok(())
    }

    /// Notes a purge, unless one was less than a minute ago.
    pub(super) fn may_purge(&self, now: Instant) -> bool {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let may = state.purged.is_none_or(|at| at + PURGE_PAUSE <= now);
        if may {
            state.purged = Some(now);
        }
        may
    }
}

fn builder(
    settings: &Settings,
    clock: &MemoryClock,
    dead_letter: Option<(&MemoryQueue, u32)>,
) -> MemoryQueueBuilder {
    let limits = Limits::default().with_message_bytes(ROOM).with_attributes(ATTRIBUTES);
    let mut builder = MemoryQueue::builder()
        .clock(clock.clone())
        .limits(limits)
        .visibility(settings.visibility())
        .retention(settings.retention())
        .delay(settings.delay());
    if settings.fifo {
        builder = builder.ordered();
    }
    match dead_letter {
        Some((queue, most)) => builder.dead_letter(queue.clone(), most),
        None => builder,
    }
}
