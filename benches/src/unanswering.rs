//! A queue that gives no messages, and notes when it was asked.

use std::future::pending;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use queue_core::{
    Consumer, Delivery, QueueError, QueueErrorKind, ReceiveLimits, ReceiveOptions, async_trait,
};
use tokio::time::Instant;

/// What it does instead of giving messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It refuses at once, with an error of this kind.
    Refuse(QueueErrorKind),
    /// It never answers.
    Never,
}

/// A queue that is missing, refuses, or never answers. Clones are the same queue.
#[derive(Clone, Debug)]
pub struct Unanswering {
    answer: Answer,
    asked: Arc<Mutex<Vec<Instant>>>,
}

impl Unanswering {
    /// Makes one that was never asked.
    pub fn new(answer: Answer) -> Self {
        Self { answer, asked: Arc::default() }
    }

    /// The most calls that began within any minute, wherever that minute begins.
    pub fn most_in_a_minute(&self) -> u64 {
        most_within(Duration::from_mins(1), &self.asked.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
impl Consumer for Unanswering {
    async fn receive(&self, _options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(Instant::now());
        match self.answer {
            Answer::Refuse(kind) => Err(QueueError::new(kind, "it gives no messages")),
            Answer::Never => pending().await,
        }
    }

    fn receive_limits(&self) -> ReceiveLimits {
        ReceiveLimits::default()
    }
}

/// The most of these instants, in order, that lie within so long of each other; that long apart is not within.
fn most_within(span: Duration, instants: &[Instant]) -> u64 {
    let from = |first: usize| instants[first..].partition_point(|at| *at < instants[first] + span);
    (0..instants.len()).map(from).max().unwrap_or(0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_minute_is_found_wherever_it_begins() {
        let start = Instant::now();
        let at = |seconds: &[u64]| -> Vec<Instant> {
            seconds.iter().map(|seconds| start + Duration::from_secs(*seconds)).collect()
        };
        let most = |seconds: &[u64]| most_within(Duration::from_mins(1), &at(seconds));
        assert_eq!(most(&[]), 0);
        assert_eq!(most(&[0, 60, 120]), 1);
        assert_eq!(most(&[0, 59, 70, 80, 118, 200]), 4);
    }
}
