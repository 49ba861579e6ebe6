//! A consumer that writes down what it holds, from when to when.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use harness::{Journal, monotonic};
use queue_core::{
    Consumer, Delivery, QueueError, Receipt, ReceiveLimits, ReceiveOptions, Settler, async_trait,
};

use crate::handling::parse;
use crate::holds::{Hold, Line};

/// By how much a backend's clock may round a lease down.
const UNIT: Duration = Duration::from_millis(2);

/// Writes down what is held for certain, by the one monotonic clock that all processes of a machine share.
///
/// What is written lies within what is true. It begins when the answer is there, which is after the backend began to
/// hide the message; it ends a visibility timeout after the request was *sent*, which is before the backend began to
/// count, less a clock's unit. A delete or a change of visibility ends it before it is sent. Each line is in the file
/// before the next step is taken, so that a kill never makes a hold longer than it was: a hold whose process was killed
/// ends with its visibility timeout, until when nobody else may have the message either.
#[derive(Debug)]
pub(crate) struct Recorded {
    inner: Arc<dyn Consumer>,
    book: Arc<Book>,
}

#[derive(Debug)]
struct Book {
    journal: Journal,
    visibility: Duration,
    /// What is held: by its receipt its hold, without times.
    held: Mutex<HashMap<Receipt, Hold>>,
}

impl Recorded {
    pub(crate) fn new(inner: Arc<dyn Consumer>, journal: Journal, visibility: Duration) -> Self {
        Self { inner, book: Arc::new(Book { journal, visibility, held: Mutex::default() }) }
    }
}

#[async_trait]
impl Consumer for Recorded {
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        let visibility = options.visibility.unwrap_or(self.book.visibility);
        let asked = monotonic();
        let deliveries = self.inner.receive(options).await?;
        self.book.received(&deliveries, asked + visibility)?;
        let book = || Arc::clone(&self.book);
        let deliver = |delivery: Delivery| {
            let receipt = delivery.receipt().clone();
            delivery.map_settler(|inner| Arc::new(RecordedSettler { inner, book: book(), receipt }))
        };
        Ok(deliveries.into_iter().map(deliver).collect())
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.inner.receive_limits()
    }
}

impl Book {
    /// Notes what came of a receive.
    fn received(&self, deliveries: &[Delivery], until: Duration) -> Result<(), QueueError> {
        let call = fastrand::u64(..);
        let mut lines = Vec::new();
        for delivery in deliveries {
            let Some((key, number)) = parse(delivery.message()) else { continue };
            let hold = Hold { id: fastrand::u64(..), call, key: key.to_owned(), number };
            lines.extend(hold.line(monotonic(), until.saturating_sub(UNIT)));
            self.held().insert(delivery.receipt().clone(), hold);
        }
        self.write(&lines)
    }

    /// Notes that some are about to be changed, and answers which holds end by that.
    ///
    /// Each gets another id here already: a change whose answer comes when another one was sent meanwhile, such as a
    /// renewal that a delete has overtaken, then finds that it is not the last, and begins no hold.
    fn ending<'a>(
        &self,
        receipts: impl Iterator<Item = &'a Receipt>,
    ) -> Result<Vec<Option<u64>>, QueueError> {
        let mut held = self.held();
        let at = nanoseconds(monotonic());
        let (mut lines, mut ids) = (Vec::new(), Vec::new());
        for receipt in receipts {
            let ours = held.get_mut(receipt);
            ids.push(ours.map(|ours| {
                lines.push(Line::End { id: ours.id, at });
                ours.id = fastrand::u64(..);
                ours.id
            }));
        }
        drop(held);
        self.write(&lines)?;
        Ok(ids)
    }

    /// Notes that one is hidden for longer, unless something else was sent for it since it got this id.
    fn extended(&self, receipt: &Receipt, id: u64, until: Duration) -> Result<(), QueueError> {
        let ours = self.held().get(receipt).filter(|ours| ours.id == id).cloned();
        let line = ours.and_then(|ours| ours.line(monotonic(), until.saturating_sub(UNIT)));
        self.write(&line.into_iter().collect::<Vec<_>>())
    }

    fn held(&self) -> std::sync::MutexGuard<'_, HashMap<Receipt, Hold>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, lines: &[Line]) -> Result<(), QueueError> {
        let written = self.journal.write(lines);
        written.map_err(|error| QueueError::permanent("the journal can't be written").with_source(error))
    }
}

/// A time as the journal has it.
pub(crate) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The settler of a delivery that was written down.
#[derive(Debug)]
struct RecordedSettler {
    inner: Arc<dyn Settler>,
    book: Arc<Book>,
    receipt: Receipt,
}

#[async_trait]
impl Settler for RecordedSettler {
    async fn delete(&self, batch: Vec<Receipt>) -> Vec<Result<(), QueueError>> {
        if let Err(error) = self.book.ending(batch.iter()) {
            return vec![Err(error); batch.len()];
        }
        let receipts = batch.clone();
        let answers = self.inner.delete(batch).await;
        let mut held = self.book.held();
        held.retain(|receipt, _| !receipts.contains(receipt));
        answers
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Vec<Result<(), QueueError>> {
        let ids = match self.book.ending(batch.iter().map(|(receipt, _)| receipt)) {
            Ok(ids) => ids,
            Err(error) => return vec![Err(error); batch.len()],
        };
        let (changes, asked) = (batch.clone(), monotonic());
        let answers = self.inner.change_visibility(batch).await;
        for (((receipt, visibility), id), answer) in changes.iter().zip(ids).zip(&answers) {
            if let Some(id) = id.filter(|_| answer.is_ok())
                && let Err(error) = self.book.extended(receipt, id, asked + *visibility)
            {
                return vec![Err(error); changes.len()];
            }
        }
        answers
    }

    fn abandon(&self, receipt: Receipt) {
        self.book.held().remove(&self.receipt);
        self.inner.abandon(receipt);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renewal_that_a_delete_has_overtaken_begins_no_hold() {
        let (folder, receipt) = (tempfile::tempdir().unwrap(), Receipt::new("r"));
        let file = folder.path().join("holds");
        let (journal, visibility) = (Journal::open(&file).unwrap(), Duration::from_secs(2));
        let book = Book { journal, visibility, held: Mutex::default() };
        book.held().insert(receipt.clone(), Hold { id: 1, call: 1, key: "o-1-1".to_owned(), number: 1 });
        let holds = || {
            let lines: Vec<Line> = Journal::read(&file).unwrap();
            lines.iter().filter(|line| matches!(line, Line::Hold { .. })).count()
        };
        let ending = || book.ending([&receipt].into_iter()).unwrap()[0].unwrap();
        let (renewal, _delete) = (ending(), ending());
        book.extended(&receipt, renewal, Duration::MAX).unwrap();
        assert_eq!(holds(), 0);
        book.extended(&receipt, ending(), Duration::MAX).unwrap();
        assert_eq!(holds(), 1);
    }
}
