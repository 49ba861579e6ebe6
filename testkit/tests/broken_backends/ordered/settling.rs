//! Ordered queues that settle wrongly.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use queue_core::{Consumer, PublisherExt, QueueError, QueueErrorKind, Receipt, ReceiveOptions, Settler};

use super::broken::Broken;
use super::fault::{Fault, Settling};

/// The settler of a broken queue's deliveries.
#[derive(Debug)]
pub(crate) struct BrokenSettler {
    pub(crate) queue: Broken,
    pub(crate) inner: Arc<dyn Settler>,
}

type Answer = Result<(), QueueError>;

impl BrokenSettler {
    fn has(&self, fault: Settling) -> bool {
        self.queue.fault == Fault::Settle(fault)
    }

    /// The receipt that the real queue is shown.
    fn real(&self, receipt: &Receipt, stale: Settling) -> Receipt {
        if self.has(stale) { self.queue.book().newest(receipt) } else { receipt.clone() }
    }

    async fn delete_one(&self, receipt: &Receipt) -> Answer {
        if self.has(Settling::DeletesNothing) {
            return Ok(());
        }
        let answer = self.really_delete(&self.real(receipt, Settling::StaleDeletes)).await;
        if self.has(Settling::LateDeletes) && is_lost(&answer) {
            return self.delete_late(receipt).await;
        }
        if self.has(Settling::OpensEarly) {
            self.free_all().await;
        }
        self.queue.book().deletes += u64::from(answer.is_ok());
        answer
    }

    async fn really_delete(&self, receipt: &Receipt) -> Answer {
        self.inner.delete(vec![receipt.clone()]).await.swap_remove(0)
    }

    async fn really_hide(&self, receipt: &Receipt, visibility: Duration) -> Answer {
        self.inner.change_visibility(vec![(receipt.clone(), visibility)]).await.swap_remove(0)
    }

    /// Takes what nobody else has taken, to delete it.
    async fn delete_late(&self, receipt: &Receipt) -> Answer {
        if self.queue.book().newest(receipt) != *receipt {
            return Err(QueueError::lost("another consumer has it"));
        }
        for delivery in self.queue.inner.receive(ReceiveOptions::new(1).with_wait(Duration::ZERO)).await? {
            delivery.ack().await.unwrap();
        }
        Ok(())
    }

    /// Makes all visible that is in flight.
    async fn free_all(&self) {
        let receipts: Vec<_> = self.queue.book().deliveries.keys().cloned().collect();
        for receipt in receipts {
            self.really_hide(&receipt, Duration::ZERO).await.ok();
        }
    }

    async fn hide_one(&self, receipt: &Receipt, mut visibility: Duration) -> Answer {
        if self.has(Settling::ReleasesToTheEnd) && visibility.is_zero() {
            return self.send_again(receipt).await;
        }
        if self.has(Settling::IgnoresDelays) {
            visibility = Duration::ZERO;
        }
        if self.has(Settling::IgnoresExtensions) && !visibility.is_zero() {
            return Ok(());
        }
        let answer = self.really_hide(&self.real(receipt, Settling::StaleReleases), visibility).await;
        let expired = self.queue.book().newest(receipt) == *receipt && is_lost(&answer);
        if self.has(Settling::LateReleases) && expired { Ok(()) } else { answer }
    }

    async fn send_again(&self, receipt: &Receipt) -> Answer {
        self.really_delete(receipt).await?;
        let (message, number) = {
            let mut book = self.queue.book();
            (book.deliveries.get(receipt).cloned(), book.number())
        };
        if let Some(message) = message {
            let again = message.to_outgoing().with_deduplication_id(format!("again-{number}"));
            self.queue.inner.publish_one(again).await.unwrap();
        }
        Ok(())
    }
}

fn is_lost(answer: &Answer) -> bool {
    answer.as_ref().is_err_and(|error| error.kind() == QueueErrorKind::Lost)
}

#[async_trait]
impl Settler for BrokenSettler {
    async fn delete(&self, batch: Vec<Receipt>) -> Vec<Answer> {
        let mut answers = Vec::new();
        for receipt in batch {
            answers.push(self.delete_one(&receipt).await);
        }
        answers
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Vec<Answer> {
        let mut answers = Vec::new();
        for (receipt, visibility) in batch {
            answers.push(self.hide_one(&receipt, visibility).await);
        }
        answers
    }

    fn abandon(&self, receipt: Receipt) {
        self.inner.abandon(receipt);
    }
}
