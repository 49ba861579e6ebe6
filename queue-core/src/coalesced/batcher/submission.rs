//! A caller's half of what it handed over.

use std::ops::Range;
use std::sync::Arc;

use super::entry::Reply;
use super::shared::Shared;
use super::{Answer, Kind};

/// The entries that a caller waits for.
///
/// # Drop
/// Takes back what was not sent yet, unless the kind outlives its callers.
#[derive(Debug)]
pub(super) struct Submission<K: Kind> {
    shared: Arc<Shared<K>>,
    /// Those without an answer.
    numbers: Range<u64>,
    replies: Vec<Reply<K>>,
}

impl<K: Kind> Submission<K> {
    pub(super) fn new(shared: Arc<Shared<K>>, numbers: Range<u64>, replies: Vec<Reply<K>>) -> Self {
        Self { shared, numbers, replies }
    }

    /// Waits for the answers, in order.
    pub(super) async fn answers(&mut self) -> Vec<Answer<K>> {
        let mut answers = Vec::with_capacity(self.replies.len());
        for reply in &mut self.replies {
            answers.push(reply.wait().await);
            self.numbers.start += 1;
        }
        answers
    }
}

impl<K: Kind> Drop for Submission<K> {
    fn drop(&mut self) {
        if !self.numbers.is_empty() && !self.shared.kind.outlives_its_caller() {
            self.shared.withdraw(self.numbers.clone());
        }
    }
}
