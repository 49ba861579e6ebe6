//! A count of calls by operation.

use std::ops::{Add, Sub};

use crate::{Delivery, MessageId, QueueError, Rejected};

/// What queue services bill as one request: each 64 KiB of a call's payload, begun or full (Amazon SQS pricing).
const CHUNK: usize = 64 * 1024;

/// How many calls were made, what they brought, and how many of them failed: a snapshot of a [`Meter`](crate::Meter).
///
/// Two snapshots can be subtracted, for what happened between them, and added, for several queues together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Calls {
    /// Publish calls, whatever the number of messages in each.
    pub publish: u64,
    /// Receive calls, those included that are still waiting.
    pub receive: u64,
    /// The receive calls among them that ended with an empty list; a failed one is not empty.
    pub empty_receive: u64,
    /// Delete calls.
    pub delete: u64,
    /// Visibility changes: extensions and releases.
    pub change_visibility: u64,
    /// Looks at the depth, and purges.
    pub inspect: u64,
    /// Publish calls of which no entry succeeded.
    pub failed_publish: u64,
    /// Receive calls that ended with an error.
    pub failed_receive: u64,
    /// Delete calls of which no entry succeeded.
    pub failed_delete: u64,
    /// Visibility changes of which no entry succeeded.
    pub failed_change_visibility: u64,
    /// Looks and purges that ended with an error.
    pub failed_inspect: u64,
    /// Messages published.
    pub published: u64,
    /// Messages received.
    pub received: u64,
    /// Messages deleted.
    pub deleted: u64,
    /// Messages extended or released.
    pub changed: u64,
    /// Deliveries that were dropped without being settled (Q12).
    pub abandoned: u64,
    /// Requests as a queue service bills them: at least one a call, and one for each 64 KiB of what a publish sends
    /// or a receive returns. Failed calls are counted too, so it is the most that can be billed.
    pub billed: u64,
}

impl Calls {
    /// All calls, whatever the operation.
    pub const fn total(&self) -> u64 {
        self.publish + self.receive + self.delete + self.change_visibility + self.inspect
    }

    pub(super) fn publish_started(&mut self, bytes: usize) {
        self.publish += 1;
        self.billed += chunks(bytes);
    }

    pub(super) fn publish_ended(&mut self, answers: &[Result<MessageId, Rejected>]) {
        self.published += done(answers);
        self.failed_publish += failed(answers);
    }

    pub(super) fn receive_started(&mut self) {
        self.receive += 1;
        self.billed += 1;
    }

    pub(super) fn receive_ended(&mut self, answer: &Result<Vec<Delivery>, QueueError>) {
        match answer {
            Ok(deliveries) => self.received_all(deliveries),
            Err(_) => self.failed_receive += 1,
        }
    }

    fn received_all(&mut self, deliveries: &[Delivery]) {
        let bytes = deliveries.iter().map(|delivery| delivery.message().size()).sum();
        self.billed += chunks(bytes) - 1;
        self.received += deliveries.len() as u64;
        self.empty_receive += u64::from(deliveries.is_empty());
    }

    pub(super) fn delete_started(&mut self) {
        self.delete += 1;
        self.billed += 1;
    }

    pub(super) fn delete_ended(&mut self, answers: &[Result<(), QueueError>]) {
        self.deleted += done(answers);
        self.failed_delete += failed(answers);
    }

    pub(super) fn change_started(&mut self) {
        self.change_visibility += 1;
        self.billed += 1;
    }

    pub(super) fn change_ended(&mut self, answers: &[Result<(), QueueError>]) {
        self.changed += done(answers);
        self.failed_change_visibility += failed(answers);
    }

    pub(super) fn inspect_started(&mut self) {
        self.inspect += 1;
        self.billed += 1;
    }

    fn counters(&mut self) -> [&mut u64; 17] {
        [
            &mut self.publish,
            &mut self.receive,
            &mut self.empty_receive,
            &mut self.delete,
            &mut self.change_visibility,
            &mut self.inspect,
            &mut self.failed_publish,
            &mut self.failed_receive,
            &mut self.failed_delete,
            &mut self.failed_change_visibility,
            &mut self.failed_inspect,
            &mut self.published,
            &mut self.received,
            &mut self.deleted,
            &mut self.changed,
            &mut self.abandoned,
            &mut self.billed,
        ]
    }

    fn with_each(mut self, mut other: Self, combine: fn(u64, u64) -> u64) -> Self {
        for (mine, theirs) in self.counters().into_iter().zip(other.counters()) {
            *mine = combine(*mine, *theirs);
        }
        self
    }
}

impl Add for Calls {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.with_each(other, u64::saturating_add)
    }
}

impl Sub for Calls {
    type Output = Self;

    /// What was counted between the snapshots `other` and `self`; zero where `other` has more.
    fn sub(self, other: Self) -> Self {
        self.with_each(other, u64::saturating_sub)
    }
}

fn chunks(bytes: usize) -> u64 {
    bytes.div_ceil(CHUNK).max(1) as u64
}

fn done<T, E>(answers: &[Result<T, E>]) -> u64 {
    answers.iter().filter(|answer| answer.is_ok()).count() as u64
}

fn failed<T, E>(answers: &[Result<T, E>]) -> u64 {
    u64::from(answers.iter().all(Result::is_err))
}
