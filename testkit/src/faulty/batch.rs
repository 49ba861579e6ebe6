//! A call with a batch, and what a fault makes of it.

use std::future::pending;

use queue_core::QueueError;
use tokio::time::sleep;

use super::Fault;
use super::fault::lost;

/// A call that takes a batch and answers each entry.
pub(super) trait Batch: Sync {
    type Entry: Clone + Send;
    type Answer: Clone + Send;

    /// Makes it at the queue behind.
    fn call(&self, entries: Vec<Self::Entry>) -> impl Future<Output = Vec<Self::Answer>> + Send;

    /// Answers an entry with an error.
    fn refuse(entry: Self::Entry, error: QueueError) -> Self::Answer;
}

impl Fault {
    /// Makes the call as this fault wants it.
    pub(super) async fn strike<B: Batch>(self, batch: &B, entries: Vec<B::Entry>) -> Vec<B::Answer> {
        let answers = self.pass_on(batch, entries.clone()).await;
        match &self {
            Self::Unanswered => pending().await,
            Self::Late(delay) => sleep(*delay).await,
            _ => {}
        }
        self.garble::<B>(entries, answers)
    }

    /// Passes on what is not refused before.
    async fn pass_on<B: Batch>(&self, batch: &B, entries: Vec<B::Entry>) -> Vec<B::Answer> {
        if (0..entries.len()).all(|index| self.refusal(index).is_none()) {
            return batch.call(entries).await;
        }
        let sent = entries.iter().enumerate().filter(|(index, _)| self.refusal(*index).is_none());
        let sent: Vec<_> = sent.map(|(_, entry)| entry.clone()).collect();
        let mut done = if sent.is_empty() { Vec::new() } else { batch.call(sent).await }.into_iter();
        let answer = |(index, entry)| match self.refusal(index) {
            Some(error) => Some(B::refuse(entry, error.clone())),
            None => done.next(),
        };
        entries.into_iter().enumerate().filter_map(answer).collect()
    }

    /// Spoils the answers to what was done.
    fn garble<B: Batch>(&self, entries: Vec<B::Entry>, answers: Vec<B::Answer>) -> Vec<B::Answer> {
        let garbled = entries.into_iter().zip(answers).enumerate().map(|(index, (entry, answer))| {
            if self.loses(index) { B::refuse(entry, lost()) } else { answer }
        });
        let mut garbled: Vec<_> = garbled.collect();
        garbled.truncate(garbled.len().saturating_sub(self.shortage()));
        let last = garbled.last().cloned();
        garbled.extend(last.into_iter().cycle().take(self.excess()));
        if let Self::Reordered = self {
            garbled.reverse();
        }
        garbled
    }
}
