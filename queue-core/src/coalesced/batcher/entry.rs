//! An entry that was handed over and has no answer yet.

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::{Answer, Kind};
use crate::QueueError;

/// An entry and the way back to its caller. Dropping it leaves the caller with *indeterminate*.
#[derive(Debug)]
pub(super) struct Entry<K: Kind> {
    pub(super) value: K::Entry,
    pub(super) bytes: usize,
    pub(super) since: Instant,
    caller: oneshot::Sender<Answer<K>>,
}

impl<K: Kind> Entry<K> {
    pub(super) fn new(value: K::Entry, bytes: usize) -> (Self, Reply<K>) {
        let (caller, reply) = oneshot::channel();
        (Self { value, bytes, since: Instant::now(), caller }, Reply(reply))
    }

    /// Answers the caller, if it still waits.
    pub(super) fn answer(self, answer: Answer<K>) {
        self.caller.send(answer).ok();
    }

    /// Nobody waits for the answer any more.
    pub(super) fn is_orphaned(&self) -> bool {
        self.caller.is_closed()
    }
}

/// The caller's end of an entry.
#[derive(Debug)]
pub(super) struct Reply<K: Kind>(oneshot::Receiver<Answer<K>>);

impl<K: Kind> Reply<K> {
    /// Waits for the answer; safe to drop and call again.
    pub(super) async fn wait(&mut self) -> Answer<K> {
        let answer = (&mut self.0).await;
        answer.unwrap_or_else(|_| Err(QueueError::indeterminate("the call ended without an answer")))
    }
}
