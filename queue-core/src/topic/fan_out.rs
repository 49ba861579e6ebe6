//! A fan-out: the entries of one publish, and the couriers that bring their copies.

use std::sync::Arc;

use tokio::task::JoinHandle;

use super::entry::Entry;
use super::fate::{Fate, Fates};
use crate::{Limits, MessageId, QueueError, Rejected};

#[derive(Debug)]
pub(super) struct FanOut {
    pub(super) limits: Limits,
    pub(super) entries: Vec<Result<Entry, Rejected>>,
    pub(super) sent: Vec<Sent>,
}

/// The copies that are on their way to one subscriber.
#[derive(Debug)]
pub(super) struct Sent {
    pub(super) subscriber: Arc<str>,
    pub(super) numbers: Vec<usize>,
    pub(super) courier: JoinHandle<Vec<(usize, Fate)>>,
}

impl FanOut {
    /// Waits for the couriers, and answers for each entry, in order.
    pub(super) async fn answers(self) -> Vec<Result<MessageId, Rejected>> {
        let mut fates: Vec<Fates> = self.entries.iter().map(|_| Fates::default()).collect();
        for sent in self.sent {
            let subscriber = Arc::clone(&sent.subscriber);
            for (number, fate) in sent.fates().await {
                fates[number].add(Arc::clone(&subscriber), fate);
            }
        }
        let answered = self.entries.into_iter().zip(fates);
        answered.map(|(entry, fates)| entry.and_then(|e| e.answer(fates.verdict(), &self.limits))).collect()
    }
}

impl Sent {
    async fn fates(self) -> Vec<(usize, Fate)> {
        self.courier.await.unwrap_or_else(|_ended| self.numbers.into_iter().map(lost).collect())
    }
}

/// The courier's runtime has ended, or the subscriber's limits panicked.
fn lost(number: usize) -> (usize, Fate) {
    let error = QueueError::indeterminate("its delivery was ended");
    (number, Fate::Unsettled { uncertain: true, error: Some(error) })
}
