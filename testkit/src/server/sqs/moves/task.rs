//! One task.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use queue_core::{Consumer, Delivery, MemoryClock, Publisher, ReceiveOptions};
use uuid::Uuid;

use super::super::queue::Queue;
use super::super::registry::Registry;
use super::super::{Sqs, stored};
use super::progress::Progress;

/// Why a task fails, in the service's words.
const NO_SOURCE: &str = "CouldNotDetermineMessageSource";
const NO_QUEUE: &str = "AWS.SimpleQueueService.NonExistentQueue";

/// A task that moves messages, each of them as a new one.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) id: String,
    pub(super) source_arn: String,
    pub(super) destination_arn: Option<String>,
    /// Messages per second.
    pub(super) rate: Option<u32>,
    pub(super) to_move: u64,
    /// In milliseconds since 1970.
    pub(super) started: u64,
    pub(super) progress: Progress,
    queues: Arc<Registry>,
    clock: MemoryClock,
}

impl Task {
    pub(super) fn new(
        sqs: &Sqs,
        source: &Queue,
        (destination_arn, rate): (Option<String>, Option<u32>),
        to_move: u64,
    ) -> Self {
        let now = sqs.clock.at(sqs.clock.now()).duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            id: Uuid::new_v4().to_string(),
            source_arn: source.name.arn.clone(),
            destination_arn,
            rate,
            to_move,
            started: u64::try_from(now.as_millis()).unwrap_or(u64::MAX),
            progress: Progress::default(),
            queues: Arc::clone(&sqs.queues),
            clock: sqs.clock.clone(),
        }
    }

    /// Moves what can be received, until there is nothing left of it or the task is cancelled.
    pub(super) async fn run(self: Arc<Self>, source: Arc<Queue>) {
        let end = loop {
            if self.progress.cancelled.is_cancelled() {
                break Ok("CANCELLED");
            }
            let one = ReceiveOptions::new(1).with_wait(Duration::ZERO);
            let received = source.memory.receive(one).await.unwrap_or_default();
            let Some(delivery) = received.into_iter().next() else { break Ok("COMPLETED") };
            if let Err(reason) = self.carry(&source, delivery).await {
                break Err(reason);
            }
            self.progress.count();
            self.pause().await;
        };
        self.progress.end(end);
    }

    /// Stores the message at its destination and deletes it here, in this order: a stop between the two leaves it in both.
    async fn carry(&self, source: &Queue, delivery: Delivery) -> Result<(), &'static str> {
        let message = delivery.message().clone();
        let came_from = stored::source(&message).filter(|arn| *arn != self.source_arn);
        let arn = self.destination_arn.as_deref().or(came_from).ok_or(NO_SOURCE);
        let to = arn.and_then(|arn| self.queues.by_arn(arn).ok_or(NO_QUEUE));
        let to = match to {
            Ok(to) => to,
            Err(reason) => {
                delivery.release(Duration::ZERO).await.ok();
                return Err(reason);
            }
        };
        let outgoing = stored::moved(&message, &to.name.arn, to.fifo());
        let stored = to.memory.publish(vec![outgoing]).await;
        if stored.iter().any(Result::is_err) {
            return Err("InternalError");
        }
        source.firsts.forget(message.id());
        delivery.ack().await.map_err(|_lost| "InternalError")
    }

    async fn pause(&self) {
        let Some(rate) = self.rate else { return };
        let until = self.clock.now() + Duration::from_secs(1) / rate;
        self.progress.cancelled.run_until_cancelled(self.clock.sleep_until(until)).await;
    }
}
