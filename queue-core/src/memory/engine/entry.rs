//! A stored message, and what became of it so far.

use std::time::Duration;

use tokio::time::Instant;

use super::super::handle::Handle;
use super::super::key::Key;
use super::attempts::Attempt;
use super::groups::Place;
use super::schedule::Slot;
use crate::{Message, Receipt};

/// What a message is wherever it is stored: all that goes with it to the dead-letter queue.
#[derive(Clone, Debug)]
pub(in crate::memory) struct Stored {
    pub(super) key: Key,
    pub(super) message: Message,
    /// Retention counts from here, also after a move.
    pub(super) sent: Instant,
}

/// The latest delivery of a message: the only one whose receipt is good (Q4).
#[derive(Clone, Copy, Debug)]
pub(super) struct Latest {
    delivery: Key,
    pub(super) received: Instant,
}

/// A message in this queue.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) stored: Stored,
    /// Where it is in the order in which this queue stored its messages.
    place: Place,
    visible_at: Instant,
    receive_count: u32,
    latest: Option<Latest>,
    /// The attempt that brought it, for as long as it can be repeated.
    pub(super) attempt: Option<Attempt>,
}

impl Entry {
    pub(super) fn new(stored: Stored, place: Place, visible_at: Instant) -> Self {
        Self { stored, place, visible_at, receive_count: 0, latest: None, attempt: None }
    }

    /// Its group and its place in there. A queue that orders refuses messages without a group.
    pub(super) fn spot(&self) -> (&str, Place) {
        (self.stored.message.group_key().unwrap_or_default(), self.place)
    }

    /// Its place in the schedule.
    pub(super) fn slot(&self) -> Slot {
        (self.visible_at, self.stored.key)
    }

    /// Its place among the ages.
    pub(super) fn age(&self) -> (Instant, Key) {
        (self.stored.sent, self.stored.key)
    }

    /// Q7: whether it was delivered so often that it is moved instead.
    pub(super) fn is_exhausted(&self, max_receive_count: Option<u32>) -> bool {
        max_receive_count.is_some_and(|most| self.receive_count >= most)
    }

    /// The delivery that `delivery` names, if no later one superseded it.
    pub(super) fn latest(&self, delivery: Key) -> Option<Latest> {
        self.latest.filter(|latest| latest.delivery == delivery)
    }

    /// Hides it for `visibility` from `now` on.
    pub(super) fn hide(&mut self, visibility: Duration, now: Instant) {
        self.visible_at = now + visibility;
    }

    /// Hands it to a consumer: a fresh receipt, a receive count of one more (Q7).
    pub(super) fn deliver(&mut self, delivery: Key, now: Instant) -> (Message, Receipt) {
        self.receive_count += 1;
        self.attempt = None;
        self.latest = Some(Latest { delivery, received: now });
        self.handed(delivery)
    }

    /// Hands it to a consumer again that may not have got it: the same receipt, the same receive count (Q8).
    pub(super) fn repeat(&mut self, now: Instant) -> Option<(Message, Receipt)> {
        let latest = self.latest.as_mut()?;
        latest.received = now;
        let delivery = latest.delivery;
        Some(self.handed(delivery))
    }

    fn handed(&self, delivery: Key) -> (Message, Receipt) {
        let message = self.stored.message.clone().with_receive_count(self.receive_count);
        (message, Handle { message: self.stored.key, delivery }.write())
    }
}
