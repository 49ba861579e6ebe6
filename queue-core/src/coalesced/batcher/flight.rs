//! One call on its way, with the repetitions of what failed for a passing reason.

use std::sync::Arc;
use std::time::Duration;

use backon::BackoffBuilder;
use tokio::time::{sleep, timeout};

use super::Kind;
use super::entry::Entry;
use super::shared::Shared;
use crate::QueueError;

/// A call, which takes one of the places for calls until it has ended.
///
/// # Drop
/// Frees the place. Entries without an answer are *indeterminate*: the call panicked, or its runtime ended.
#[derive(Debug)]
pub(super) struct Flight<K: Kind> {
    shared: Arc<Shared<K>>,
    numbers: Vec<u64>,
}

type Failed<K> = Vec<(Entry<K>, QueueError)>;

impl<K: Kind> Flight<K> {
    pub(super) fn new(shared: Arc<Shared<K>>, numbers: Vec<u64>) -> Self {
        Self { shared, numbers }
    }

    pub(super) async fn run(self, mut batch: Vec<Entry<K>>) {
        let mut pauses = self.shared.pace.pauses.build();
        while !batch.is_empty() {
            let failed = self.attempt(batch).await;
            let pause = if failed.is_empty() { None } else { pauses.next() };
            let Some(pause) = pause else { return hand_back(failed) };
            sleep(pause.max(asked_for(&failed))).await;
            batch = self.wanted(failed);
        }
    }

    /// Makes the call, and answers all but the entries that are to be sent again.
    async fn attempt(&self, batch: Vec<Entry<K>>) -> Failed<K> {
        let kind = &self.shared.kind;
        let values = batch.iter().map(|entry| entry.value.clone()).collect();
        let answers = timeout(self.shared.pace.deadline, kind.call(values)).await;
        let mut answers = answers.unwrap_or_default().into_iter();
        let mut failed = Vec::new();
        for entry in batch {
            match answers.next().unwrap_or_else(|| Err(unanswered())) {
                Err(error) if kind.is_passing(error.kind()) => failed.push((entry, error)),
                answer => entry.answer(answer),
            }
        }
        failed
    }

    /// Those entries that are still wanted.
    fn wanted(&self, failed: Failed<K>) -> Vec<Entry<K>> {
        let keep = self.shared.kind.outlives_its_caller();
        failed.into_iter().map(|(entry, _)| entry).filter(|entry| keep || !entry.is_orphaned()).collect()
    }
}

impl<K: Kind> Drop for Flight<K> {
    fn drop(&mut self) {
        self.shared.land(&self.numbers);
    }
}

fn hand_back<K: Kind>(failed: Failed<K>) {
    for (entry, error) in failed {
        entry.answer(Err(error));
    }
}

/// The longest time that the service asked to be left alone.
fn asked_for<K: Kind>(failed: &Failed<K>) -> Duration {
    failed.iter().filter_map(|(_, error)| error.retry_after()).max().unwrap_or_default()
}

fn unanswered() -> QueueError {
    QueueError::indeterminate("the backend gave no answer for this entry in time")
}
