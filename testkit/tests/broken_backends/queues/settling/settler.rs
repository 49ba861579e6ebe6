//! The settler of a broken queue's deliveries.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::FutureExt;
use queue_core::{Consumer, Delivery, QueueError, QueueErrorKind, Receipt, ReceiveOptions, Settler};

use super::Settling;
use crate::queues::broken::Broken;
use crate::queues::fault::Fault;

/// The settler of a broken queue's deliveries.
#[derive(Debug)]
pub(crate) struct BrokenSettler {
    queue: Broken,
    inner: Arc<dyn Settler>,
    fault: Option<Settling>,
}

type Answers = Vec<Result<(), QueueError>>;

impl BrokenSettler {
    pub(crate) fn new(queue: Broken, inner: Arc<dyn Settler>) -> Self {
        let fault = if let Fault::Settle(fault) = queue.fault { Some(fault) } else { None };
        Self { queue, inner, fault }
    }

    /// The receipt that a delivery gets.
    pub(crate) fn receipt(queue: &Broken, delivery: &Delivery) -> Receipt {
        match queue.fault {
            Fault::Settle(Settling::OneReceipt) => Receipt::new(delivery.message().id().as_str()),
            _ => delivery.receipt().clone(),
        }
    }

    /// The receipt that the real queue is shown.
    fn real(&self, receipt: &Receipt, stale: Settling) -> Receipt {
        let book = self.queue.book.lock().unwrap();
        match self.fault {
            Some(Settling::OneReceipt) => book.newest_of(receipt.as_str()).unwrap_or_else(|| receipt.clone()),
            fault if fault == Some(stale) => book.newest(receipt),
            _ => receipt.clone(),
        }
    }

    /// What is answered for a receipt without asking the real queue.
    fn refuses(&self, receipt: &Receipt) -> bool {
        let mut book = self.queue.book.lock().unwrap();
        match self.fault {
            Some(Settling::StaleSpoilsTheNew) => {
                let newest = book.newest(receipt);
                if newest != *receipt {
                    book.mark(newest);
                    return true;
                }
                book.is_marked(receipt)
            }
            _ => false,
        }
    }

    fn refuses_to_delete(&self, receipt: &Receipt) -> bool {
        let mut book = self.queue.book.lock().unwrap();
        match self.fault {
            Some(Settling::RefusesLateDeletes) => book.left(receipt).is_zero(),
            Some(Settling::RefusesSecondDeletes) => book.mark(receipt.clone()),
            Some(Settling::ExtendingSpoilsTheReceipt) => book.is_marked(receipt),
            _ => false,
        }
    }

    async fn delete_one(&self, receipt: &Receipt) -> Result<(), QueueError> {
        if self.refuses(receipt) || self.refuses_to_delete(receipt) {
            return Err(QueueError::lost("refused"));
        }
        if self.fault == Some(Settling::DeletesNothing) {
            return Ok(());
        }
        let receipt = self.real(receipt, Settling::StaleDeletes);
        self.inner.delete(vec![receipt]).await.swap_remove(0)
    }

    async fn hide_one(&self, receipt: &Receipt, visibility: Duration) -> Result<(), QueueError> {
        if self.refuses(receipt) {
            return Err(QueueError::lost("refused"));
        }
        if visibility.is_zero() && self.fault == Some(Settling::ReleasesNothing) {
            return Ok(());
        }
        if visibility.is_zero() && self.fault == Some(Settling::ReleaseDeletes) {
            return self.inner.delete(vec![receipt.clone()]).await.swap_remove(0);
        }
        let Some(visibility) = self.visibility(receipt, visibility) else { return Ok(()) };
        let real = self.real(receipt, Settling::StaleChanges);
        let answer = self.inner.change_visibility(vec![(real, visibility)]).await.swap_remove(0);
        self.after(receipt, visibility, answer).await
    }

    /// For how long the message is hidden; `None`: as long as it is.
    fn visibility(&self, receipt: &Receipt, asked: Duration) -> Option<Duration> {
        let left = self.queue.book.lock().unwrap().left(receipt);
        match self.fault {
            Some(Settling::IgnoresTheDelay) => Some(Duration::ZERO),
            Some(Settling::AddsUp) if !asked.is_zero() => Some(asked + left),
            Some(Settling::NeverShortens) if asked < left && !asked.is_zero() => None,
            Some(Settling::CutsTheTimeout) => Some(asked.min(self.queue.receive_limits().max_visibility)),
            _ => Some(asked),
        }
    }

    /// What a change of visibility leaves behind.
    async fn after(
        &self,
        receipt: &Receipt,
        visibility: Duration,
        answer: Result<(), QueueError>,
    ) -> Result<(), QueueError> {
        if is_lost(&answer) && self.fault == Some(Settling::ExpiredCanBeExtended) {
            let options = ReceiveOptions::new(10).with_wait(Duration::ZERO).with_visibility(visibility);
            let hidden = self.queue.inner.receive(options).await?;
            let any = !hidden.is_empty();
            hidden.into_iter().for_each(Delivery::forget);
            return if any { Ok(()) } else { answer };
        }
        if answer.is_ok() && !visibility.is_zero() {
            let mut book = self.queue.book.lock().unwrap();
            book.extend(receipt, visibility);
            if self.fault == Some(Settling::ExtendingSpoilsTheReceipt) {
                book.mark(receipt.clone());
            }
        }
        answer
    }

    /// The answers as a queue gives them that settles what it should.
    fn changed(&self, mut answers: Answers) -> Answers {
        match self.fault {
            Some(Settling::Backwards) => answers.reverse(),
            Some(Settling::AllLost) if answers.iter().any(is_lost) => {
                answers.fill_with(|| Err(QueueError::lost("one is lost, all are lost")));
            }
            Some(Settling::AnswersNothing) if answers.is_empty() => answers.push(Ok(())),
            _ => {}
        }
        answers
    }

    /// How many entries of a batch are settled by a queue of which `first_only` is broken; the others are said to be.
    fn settled(&self, count: usize, first_only: Settling) -> Result<usize, QueueError> {
        match self.fault {
            Some(Settling::AnyNumber) => Ok(count),
            _ if count > self.queue.receive_limits().batch => Err(QueueError::permanent("too many")),
            fault if fault == Some(first_only) => Ok(count.min(1)),
            _ => Ok(count),
        }
    }
}

fn is_lost(answer: &Result<(), QueueError>) -> bool {
    answer.as_ref().is_err_and(|error| error.kind() == QueueErrorKind::Lost)
}

#[async_trait]
impl Settler for BrokenSettler {
    async fn delete(&self, batch: Vec<Receipt>) -> Answers {
        let settled = match self.settled(batch.len(), Settling::DeletesTheFirst) {
            Ok(settled) => settled,
            Err(error) => return vec![Err(error); batch.len()],
        };
        let mut answers = Answers::new();
        for receipt in &batch[..settled] {
            answers.push(self.delete_one(receipt).await);
        }
        answers.resize(batch.len(), Ok(()));
        self.changed(answers)
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Answers {
        let settled = match self.settled(batch.len(), Settling::HidesTheFirst) {
            Ok(settled) => settled,
            Err(error) => return vec![Err(error); batch.len()],
        };
        let mut answers = Answers::new();
        for (receipt, visibility) in &batch[..settled] {
            answers.push(self.hide_one(receipt, *visibility).await);
        }
        answers.resize(batch.len(), Ok(()));
        self.changed(answers)
    }

    fn abandon(&self, receipt: Receipt) {
        match self.fault {
            Some(Settling::DropReleases) => {
                drop(self.inner.change_visibility(vec![(receipt, Duration::ZERO)]).now_or_never());
            }
            Some(Settling::DropDeletes) => drop(self.inner.delete(vec![receipt]).now_or_never()),
            _ => self.inner.abandon(receipt),
        }
    }
}
