//! The rules of a standard queue, as a state machine that is told the time.

mod entry;
mod receive;
mod schedule;
mod settle;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

use super::key::{Counter, Key};
use crate::{Depth, Message, MessageId, Outgoing};
use entry::Entry;
use schedule::Schedule;

pub(super) use entry::Stored;
pub(super) use receive::Received;
pub(super) use settle::Deleted;

/// What a queue was set to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) delay: Duration,
    pub(super) retention: Duration,
    pub(super) max_in_flight: usize,
    pub(super) max_visibility: Duration,
    pub(super) max_receive_count: Option<u32>,
}

/// The messages of a queue. It waits for nothing and reads no clock; its caller's `now` never goes back. What takes
/// no `now` answers as of the last call that did.
#[derive(Debug)]
pub(super) struct Engine {
    rules: Rules,
    ids: Counter,
    deliveries: Counter,
    messages: BTreeMap<Key, Entry>,
    schedule: Schedule,
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
            schedule: Schedule::default(),
            ages: BTreeSet::new(),
            expired: 0,
            dead_lettered: 0,
        }
    }

    /// Does what time alone does: ends retention (Q10), visibility timeouts (Q3) and delays.
    pub(super) fn advance(&mut self, now: Instant) {
        while let Some(&(sent, key)) = self.ages.first()
            && sent + self.rules.retention <= now
        {
            self.remove(key);
            self.expired += 1;
        }
        self.schedule.advance(now);
    }

    /// Stores a message that was checked.
    pub(super) fn publish(&mut self, outgoing: &Outgoing, sent_at: SystemTime, now: Instant) -> MessageId {
        self.advance(now);
        let key = self.ids.next();
        let id = MessageId::new(key.to_string());
        let message = Message::new(id.clone(), outgoing.shared_body())
            .with_attributes(outgoing.attributes().clone())
            .with_sent_at(sent_at);
        let message = match outgoing.group_key() {
            Some(group) => message.with_group_key(Arc::from(group)),
            None => message,
        };
        let visible_at = now + outgoing.delay().unwrap_or(self.rules.delay);
        self.store(Entry::new(Stored { key, message, sent: now }, visible_at), now);
        id
    }

    /// Takes in a message that another queue gave up (Q7): visible at once, as old as it was, its count begun anew.
    pub(super) fn take_in(&mut self, stored: Stored, now: Instant) {
        self.store(Entry::new(stored, now), now);
        self.advance(now);
    }

    /// Removes every message and hands them out, so that the caller can drop them where that holds up nobody.
    pub(super) fn purge(&mut self) -> impl Sized + use<> {
        self.ages = BTreeSet::new();
        (std::mem::take(&mut self.schedule), std::mem::take(&mut self.messages))
    }

    /// Whether the message is here, in any state.
    pub(super) fn holds(&self, message: Key) -> bool {
        self.messages.contains_key(&message)
    }

    /// Whether a receive would bring something.
    pub(super) fn is_deliverable(&self) -> bool {
        self.schedule.has_visible() && !self.is_full()
    }

    /// Whether as many messages are in flight as may be.
    pub(super) fn is_full(&self) -> bool {
        self.room() == 0
    }

    /// When the next message becomes visible by itself.
    pub(super) fn next_visible(&self) -> Option<Instant> {
        self.schedule.next()
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

    fn store(&mut self, entry: Entry, now: Instant) {
        self.schedule.store(entry.slot(), now);
        self.ages.insert(entry.age());
        self.messages.insert(entry.stored.key, entry);
    }

    fn remove(&mut self, key: Key) -> Option<Entry> {
        let entry = self.messages.remove(&key)?;
        self.ages.remove(&entry.age());
        self.schedule.remove(entry.slot());
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    // B28
    #[test]
    fn messages_that_have_gone_leave_nothing_behind() {
        let mut now = Instant::now();
        let mut engine = Engine::new(Rules {
            delay: Duration::ZERO,
            retention: HOUR,
            max_in_flight: 10,
            max_visibility: HOUR,
            max_receive_count: Some(1),
        });
        for round in 0..1_000 {
            for delay in [0, 0, 1] {
                let outgoing = Outgoing::new("x").with_delay(Duration::from_secs(delay));
                engine.publish(&outgoing, SystemTime::UNIX_EPOCH, now);
            }
            let (_, receipt) = engine.receive(1, HOUR, now).deliveries.remove(0);
            engine.change_visibility((&receipt, HOUR / 2), now).unwrap();
            if round % 2 == 0 {
                engine.delete(&receipt, now).unwrap();
            }
            now += HOUR / 4;
            engine.receive(1, Duration::ZERO, now);
        }
        engine.advance(now + HOUR);
        assert!(engine.expired > 0 && engine.dead_lettered > 0);
        assert!(engine.messages.is_empty() && engine.ages.is_empty());
        assert_eq!(engine.schedule.depth(), Depth::empty());
    }
}
