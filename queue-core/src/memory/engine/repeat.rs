//! Repeating a receive whose answer was lost (Q8).

use std::time::Duration;

use tokio::time::Instant;

use super::super::key::Key;
use super::{Engine, Wanted};
use crate::{Message, Receipt};

impl Engine {
    /// Delivers again what an attempt under `wanted.attempt` brought: the same messages in the same order, under the
    /// same receipts and receive counts, hidden for `wanted.visibility` from now on. `None` if there was none, or if
    /// one of its messages was touched since.
    ///
    /// Of a receive that asks for fewer than that, the rest is visible again: it is behind what is delivered.
    pub(in crate::memory) fn repeat(
        &mut self,
        wanted: &Wanted,
        now: Instant,
    ) -> Option<Vec<(Message, Receipt)>> {
        self.advance(now);
        let (attempt, mut keys) = self.attempts.find(wanted.attempt.as_deref()?)?;
        for key in keys.split_off(wanted.max.min(keys.len())) {
            self.hide_again(key, Duration::ZERO, now);
            self.part_with_attempt(key);
        }
        self.attempts.shorten(attempt, keys.len());
        if wanted.visibility.is_zero() {
            self.attempts.forget(attempt);
        }
        Some(keys.into_iter().filter_map(|key| self.deliver_again(key, wanted.visibility, now)).collect())
    }

    fn deliver_again(&mut self, key: Key, visibility: Duration, now: Instant) -> Option<(Message, Receipt)> {
        self.hide_again(key, visibility, now);
        self.messages.get_mut(&key)?.repeat(now)
    }

    /// Gives a message in flight another visibility timeout, from now on.
    pub(super) fn hide_again(&mut self, key: Key, visibility: Duration, now: Instant) {
        self.take_out(key);
        self.hide(key, visibility, now);
    }

    /// Notes what was delivered under an attempt id. With no time to repeat it there is nothing to note.
    pub(super) fn note_attempt(&mut self, wanted: &Wanted, keys: Vec<Key>, now: Instant) {
        let Some(id) = wanted.attempt.as_ref().filter(|_| !keys.is_empty() && !wanted.visibility.is_zero())
        else {
            return;
        };
        let attempt = self.attempts.note(id, keys.clone(), now);
        for key in keys {
            if let Some(entry) = self.messages.get_mut(&key) {
                entry.attempt = Some(attempt);
            }
        }
    }

    /// Forgets the attempt that brought a message, as the message is not any longer what it was.
    pub(super) fn touch(&mut self, key: Key) {
        if let Some(attempt) = self.part_with_attempt(key) {
            self.attempts.forget(attempt);
        }
    }

    fn part_with_attempt(&mut self, key: Key) -> Option<u64> {
        self.messages.get_mut(&key).and_then(|entry| entry.attempt.take())
    }
}
