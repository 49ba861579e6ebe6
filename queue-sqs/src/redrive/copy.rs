//! A redrive by receiving, publishing and deleting.

use std::time::Duration;

use queue_core::{
    Consumer, Delivery, Outgoing, Publisher, PublisherExt, QueueError, QueueErrorKind, ReceiveOptions,
    Rejected,
};

use super::line::Lines;
use super::patience::Patience;

/// How long what is received stays hidden: longer than a step takes, and no longer than one waits after a crash.
const LEASE: Duration = Duration::from_mins(2);
/// What has to be left of it to publish more. The deletes have to come in time: a FIFO queue refuses late ones.
const RESERVE: Duration = Duration::from_secs(30);
/// A receive that doesn't wait can miss messages that are there ("Short and long polling" in the Amazon SQS Developer
/// Guide).
const WAIT: Duration = Duration::from_secs(1);
/// How many messages may be refused, or come again without news, before it has no sense to go on.
const MOST_REFUSED: usize = 100;

/// One redrive.
#[derive(Debug)]
pub(super) struct Redrive<'a> {
    source: &'a dyn Consumer,
    target: &'a dyn Publisher,
    moved: u64,
    /// What the target refused and what stands behind it. They are hidden until the end, so that they don't come again.
    refused: Vec<Delivery>,
    /// How often one of them came and was refused again since there was news: a message moved, or another one refused.
    again: usize,
    refusal: Option<QueueError>,
}

impl<'a> Redrive<'a> {
    pub(super) fn new(source: &'a dyn Consumer, target: &'a dyn Publisher) -> Self {
        Self { source, target, moved: 0, refused: Vec::new(), again: 0, refusal: None }
    }

    /// Moves up to `most` messages.
    pub(super) async fn run(mut self, most: u64) -> Result<u64, QueueError> {
        let ended = self.steps(most).await;
        let refused = std::mem::take(&mut self.refused);
        self.give_back(refused).await;
        match (ended, self.refusal) {
            (Err(error), _) => Err(error),
            (Ok(()), Some(refusal)) => Err(QueueError::permanent(format!(
                "redrive: the target refused messages; {} others were moved",
                self.moved
            ))
            .with_source(refusal)),
            (Ok(()), None) => Ok(self.moved),
        }
    }

    async fn steps(&mut self, most: u64) -> Result<(), QueueError> {
        let batch = self.source.receive_limits().batch;
        while self.moved < most && self.refused.len().max(self.again) < MOST_REFUSED {
            let step = usize::try_from(most - self.moved).unwrap_or(batch).min(batch);
            let received = self.receive(step).await?;
            if received.is_empty() {
                break;
            }
            self.step(received).await?;
        }
        Ok(())
    }

    /// A receive that failed is repeated under its id: it may have brought messages (Q8).
    async fn receive(&self, step: usize) -> Result<Vec<Delivery>, QueueError> {
        let options = ReceiveOptions::new(step)
            .with_wait(WAIT)
            .with_visibility(LEASE.min(self.source.receive_limits().max_visibility))
            .with_attempt_id(format!("{:032x}", fastrand::u128(..)));
        let mut patience = Patience::new(None);
        loop {
            match self.source.receive(options.clone()).await {
                Ok(received) => return Ok(received),
                Err(error) => patience.bear(error).await?,
            }
        }
    }

    /// Moves what one receive brought. What can't be moved just now is given back.
    async fn step(&mut self, received: Vec<Delivery>) -> Result<(), QueueError> {
        let until = received.iter().map(Delivery::hidden_until).min();
        let reserved = until.and_then(|until| until.checked_sub(RESERVE));
        let mut lines = Lines::new(received, self.source.receive_limits().ordered);
        let mut copied = Vec::new();
        let published = self.publish(&mut lines, &mut copied, Patience::new(reserved)).await;
        let deleted = self.delete(copied, Patience::new(until)).await;
        self.give_back(lines.into_deliveries()).await;
        deleted.and(published)
    }

    /// Publishes the heads of all lines, again and again, until all are through.
    async fn publish(
        &mut self,
        lines: &mut Lines,
        copied: &mut Vec<Delivery>,
        mut patience: Patience,
    ) -> Result<(), QueueError> {
        loop {
            let heads: Vec<_> = lines.heads().map(|head| self.outgoing(head)).collect();
            if heads.is_empty() {
                return Ok(());
            }
            let answers = self.target.publish_all(heads).await;
            match self.sort(lines, copied, answers) {
                Some(error) => patience.bear(error).await?,
                None => patience.renew()?,
            }
        }
    }

    /// Puts each head where its answer sends it. A head that failed for a passing reason stays; why is answered.
    fn sort<T>(
        &mut self,
        lines: &mut Lines,
        copied: &mut Vec<Delivery>,
        answers: Vec<Result<T, Rejected>>,
    ) -> Option<QueueError> {
        let mut passing = None;
        let answers = answers.into_iter().map(|answer| answer.map_err(Rejected::into_error));
        for (mut line, answer) in lines.take().into_iter().zip(padded(answers)) {
            match answer {
                Ok(_) => copied.extend(line.pop_front()),
                Err(error) if error.kind().is_passing() => passing = Some(error),
                Err(error) => {
                    line.drain(..).for_each(|delivery| self.refuse(delivery)); // none may overtake it
                    self.refusal.get_or_insert(error);
                }
            }
            lines.put(line);
        }
        passing
    }

    /// Holds it back until the end. One whose time ended meanwhile may come, and be refused, again.
    fn refuse(&mut self, delivery: Delivery) {
        let id = delivery.message().id();
        if let Some(earlier) = self.refused.iter_mut().find(|earlier| earlier.message().id() == id) {
            std::mem::replace(earlier, delivery).forget();
            self.again += 1;
        } else {
            self.refused.push(delivery);
            self.again = 0;
        }
    }

    /// The message as it is sent. An ordered target stores it once, also when it is sent again. The id that it had in
    /// its first life would not do: the target may still take that for a repetition, and it would be in neither.
    fn outgoing(&self, delivery: &Delivery) -> Outgoing {
        let outgoing = delivery.message().to_outgoing();
        if !self.target.limits().ordered {
            return outgoing;
        }
        outgoing.with_deduplication_id(format!("redrive-{}", delivery.message().id()))
    }

    /// Deletes what was copied.
    async fn delete(&mut self, mut copied: Vec<Delivery>, mut patience: Patience) -> Result<(), QueueError> {
        while let Some(first) = copied.first() {
            let receipts = copied.iter().map(|delivery| delivery.receipt().clone()).collect();
            let answers = first.settler().delete(receipts).await;
            let Some(error) = self.count(&mut copied, answers) else { break };
            patience.bear(error).await?;
        }
        Ok(())
    }

    /// Counts what was deleted, and leaves what was not. What was lost was moved all the same; it comes again.
    fn count(
        &mut self,
        copied: &mut Vec<Delivery>,
        answers: Vec<Result<(), QueueError>>,
    ) -> Option<QueueError> {
        let mut failed = None;
        for (delivery, answer) in std::mem::take(copied).into_iter().zip(padded(answers)) {
            match answer {
                Err(error) if error.kind() != QueueErrorKind::Lost => {
                    copied.push(delivery);
                    failed = Some(error);
                }
                Ok(()) | Err(_) => {
                    delivery.forget();
                    (self.moved, self.again) = (self.moved + 1, 0);
                }
            }
        }
        failed
    }

    /// Makes them visible. What fails comes back by itself.
    async fn give_back(&self, deliveries: Vec<Delivery>) {
        let batch = self.source.receive_limits().batch.max(1);
        for some in deliveries.chunks(batch) {
            let entries = some.iter().map(|delivery| (delivery.receipt().clone(), Duration::ZERO)).collect();
            if let Some(first) = some.first() {
                for error in
                    first.settler().change_visibility(entries).await.into_iter().filter_map(Result::err)
                {
                    tracing::debug!(%error, "a message that was not moved comes back later");
                }
            }
        }
        deliveries.into_iter().for_each(Delivery::forget);
    }
}

/// The answers, and *indeterminate* for whatever has none.
fn padded<T>(
    answers: impl IntoIterator<Item = Result<T, QueueError>>,
) -> impl Iterator<Item = Result<T, QueueError>> {
    let none = || Err(QueueError::indeterminate("redrive: no answer for this message"));
    answers.into_iter().chain(std::iter::repeat_with(none))
}
