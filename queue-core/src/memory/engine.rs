//! The rules of a queue, as a state machine that is told the time.

mod attempts;
mod entry;
mod groups;
mod receive;
mod repeat;
mod schedule;
mod settle;
mod window;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

use super::key::{Counter, Key};
use crate::{Depth, Message, MessageId, Outgoing};
use attempts::Attempts;
use entry::Entry;
use groups::{Groups, Place, State};
use schedule::Schedule;
use window::{Identity, Window};

pub(super) use entry::Stored;
pub(super) use receive::{Received, Wanted};
pub(super) use settle::Deleted;

/// What a queue was set to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) delay: Duration,
    pub(super) retention: Duration,
    pub(super) max_in_flight: usize,
    pub(super) max_visibility: Duration,
    pub(super) max_receive_count: Option<u32>,
    pub(super) ordered: bool,
    pub(super) content_deduplication: bool,
}

/// The messages of a queue. It waits for nothing and reads no clock; its caller's `now` never goes back. What takes
/// no `now` answers as of the last call that did.
#[derive(Debug)]
pub(super) struct Engine {
    rules: Rules,
    ids: Counter,
    deliveries: Counter,
    messages: BTreeMap<Key, Entry>,
    stored: Place,
    schedule: Schedule,
    /// Of an ordered queue.
    groups: Option<Groups>,
    window: Window,
    attempts: Attempts,
    ages: BTreeSet<(Instant, Key)>,
    expired: u64,
    dead_lettered: u64,
}

impl Engine {
    pub(super) fn new(rules: Rules) -> Self {
        Self {
            rules,
            ids: Counter::new(),
            deliveries: Counter::new(),
            messages: BTreeMap::new(),
            stored: 0,
            schedule: Schedule::default(),
            groups: rules.ordered.then(Groups::default),
            window: Window::default(),
            attempts: Attempts::default(),
            ages: BTreeSet::new(),
            expired: 0,
            dead_lettered: 0,
        }
    }

    /// Goes by other rules from now on. Whether it is ordered stays.
    pub(super) fn set_rules(&mut self, rules: Rules) {
        self.rules = Rules { ordered: self.rules.ordered, ..rules };
    }

    /// Does what time alone does: ends retention (Q10), visibility timeouts (Q3) and delays.
    pub(super) fn advance(&mut self, now: Instant) {
        while let Some(&(sent, key)) = self.ages.first()
            && sent + self.rules.retention <= now
        {
            self.remove(key);
            self.expired += 1;
        }
        while let Some(key) = self.schedule.show_next(now) {
            self.show(key);
        }
        self.window.advance(now);
        self.attempts.advance(now);
    }

    /// Stores a message that was checked, unless it was sent before (Q9): then answers with the first one's id.
    pub(super) fn publish(&mut self, outgoing: &Outgoing, sent_at: SystemTime, now: Instant) -> MessageId {
        self.advance(now);
        let identity = Identity::of(outgoing, self.rules.content_deduplication);
        if let Some(first) = identity.as_ref().and_then(|identity| self.window.first(identity)) {
            return first;
        }
        let key = self.ids.next();
        let id = MessageId::new(key.to_string());
        let message = message(id.clone(), outgoing, sent_at);
        let visible_at = now + outgoing.delay().unwrap_or(self.rules.delay);
        self.store(Stored { key, message, sent: now }, visible_at, now);
        if let Some(identity) = identity {
            self.window.note(identity, id.clone(), now);
        }
        id
    }

    /// Takes in a message that another queue gave up (Q7): visible at once, as old as it was, its count begun anew,
    /// and not a duplicate of any other.
    pub(super) fn take_in(&mut self, stored: Stored, now: Instant) {
        self.store(stored, now, now);
        self.advance(now);
    }

    /// Removes every message and hands them out, so that the caller can drop them where that holds up nobody. The
    /// deduplication window stays, as after a delete.
    pub(super) fn purge(&mut self) -> impl Sized + use<> {
        self.ages = BTreeSet::new();
        self.attempts = Attempts::default();
        let groups = self.groups.as_mut().map(std::mem::take);
        (std::mem::take(&mut self.schedule), std::mem::take(&mut self.messages), groups)
    }

    /// Whether the message is here, in any state.
    pub(super) fn holds(&self, message: Key) -> bool {
        self.messages.contains_key(&message)
    }

    /// Whether a receive would bring something.
    pub(super) fn is_deliverable(&self) -> bool {
        let any = self.groups.as_ref().map_or_else(|| self.schedule.has_visible(), Groups::has_ready);
        any && !self.is_full()
    }

    /// Whether as many messages are in flight as may be.
    pub(super) fn is_full(&self) -> bool {
        self.room() == 0
    }

    /// When the next message can become deliverable by itself: it becomes visible or, on an ordered queue, one before
    /// it in its group is gone.
    pub(super) fn next_deliverable_at(&self) -> Option<Instant> {
        let oldest = self.groups.as_ref().and(self.ages.first());
        self.schedule.next().into_iter().chain(oldest.map(|&(sent, _)| sent + self.rules.retention)).min()
    }

    pub(super) fn depth(&mut self, now: Instant) -> Depth {
        self.advance(now);
        let oldest = self.ages.first().map(|&(sent, _)| now.saturating_duration_since(sent));
        self.schedule.depth().with_oldest(oldest)
    }

    /// How many messages retention ended (Q10).
    pub(super) fn expired(&self) -> u64 {
        self.expired
    }

    /// How many messages were given up to the dead-letter queue (Q7).
    pub(super) fn dead_lettered(&self) -> u64 {
        self.dead_lettered
    }

    fn room(&self) -> usize {
        self.rules.max_in_flight.saturating_sub(self.schedule.in_flight())
    }

    fn store(&mut self, stored: Stored, visible_at: Instant, now: Instant) {
        self.stored += 1;
        let entry = Entry::new(stored, self.stored, visible_at);
        if let Some(groups) = &mut self.groups {
            let state = if visible_at <= now { State::Visible } else { State::Delayed };
            groups.store(entry.spot(), (entry.stored.key, state));
        }
        self.schedule.store(entry.slot(), now);
        self.ages.insert(entry.age());
        self.messages.insert(entry.stored.key, entry);
    }

    /// Notes that the schedule made a message visible.
    fn show(&mut self, key: Key) {
        self.touch(key);
        if let (Some(groups), Some(entry)) = (&mut self.groups, self.messages.get(&key)) {
            groups.set(entry.spot(), State::Visible);
        }
    }

    fn remove(&mut self, key: Key) -> Option<Entry> {
        self.touch(key);
        let entry = self.messages.remove(&key)?;
        self.ages.remove(&entry.age());
        self.schedule.remove(entry.slot());
        if let Some(groups) = &mut self.groups {
            groups.remove(entry.spot());
        }
        Some(entry)
    }
}

fn message(id: MessageId, outgoing: &Outgoing, sent_at: SystemTime) -> Message {
    let message = Message::new(id, outgoing.shared_body())
        .with_attributes(outgoing.attributes().clone())
        .with_sent_at(sent_at);
    match outgoing.group_key() {
        Some(group) => message.with_group_key(Arc::from(group)),
        None => message,
    }
}

#[cfg(test)]
mod tests;
