//! The tally: where producer and consumers count, and where one can wait for a count.

use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

use crate::counts::Counts;
use crate::letter::Refused;
use crate::seen::Seen;

/// How many quarantined lines are kept to be shown.
const SHOWN: usize = 10;
/// How many messages may be published and unsettled: enough for full batches, and a bound for memory.
const MOST_UNSETTLED: u64 = 20_000;

/// Counts each line and each visit once.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    counts: watch::Sender<Counts>,
    book: Mutex<Book>,
}

/// What tells a duplicate from a first one, and what is shown of the quarantine.
#[derive(Debug, Default)]
struct Book {
    handled: Seen,
    given_up: Seen,
    discarded: Seen,
    shown: Vec<String>,
}

impl Tally {
    /// Counts what changes in `change`.
    pub(crate) fn note(&self, change: impl FnOnce(&mut Counts)) {
        self.counts.send_modify(change);
    }

    /// Counts a line that the producer refused.
    pub(crate) fn refused(&self, refused: &Refused) {
        self.show(|| format!("line {}, refused by the producer: {}", refused.line, refused.reason));
        self.note(|counts| counts.refused += 1);
    }

    /// Counts a successful handling; a visit without an id can't be told from others and counts as new.
    pub(crate) fn handled(&self, visit: Option<u64>) {
        let new = self.is_new(visit, |book| &mut book.handled);
        self.note(|counts| {
            counts.handled += 1;
            counts.unique += u64::from(new);
        });
    }

    /// Counts a malformed body that goes to quarantine.
    pub(crate) fn discarded(&self, line: Option<u64>, reason: &str) {
        if self.is_new(line, |book| &mut book.discarded) {
            let line =
                line.map_or_else(|| "a message of unknown line".to_owned(), |line| format!("line {line}"));
            self.show(|| format!("{line}, quarantined by the consumer: {reason}"));
            self.note(|counts| counts.discarded += 1);
        }
    }

    /// Counts a visit that goes to quarantine because it failed too often.
    pub(crate) fn given_up(&self, visit: Option<u64>) {
        if self.is_new(visit, |book| &mut book.given_up) {
            self.note(|counts| counts.given_up += 1);
        }
    }

    /// The counts now.
    pub(crate) fn counts(&self) -> Counts {
        *self.counts.borrow()
    }

    /// The first lines that went to quarantine, each with its number and the reason.
    pub(crate) fn shown(&self) -> Vec<String> {
        self.book().shown.clone()
    }

    /// Waits until there is room for one more message in the queues.
    pub(crate) async fn room(&self) {
        self.wait_for(|counts| counts.unsettled() < MOST_UNSETTLED).await;
    }

    /// Waits until everything published is settled.
    pub(crate) async fn settled(&self) {
        self.wait_for(|counts| counts.unsettled() == 0).await;
    }

    async fn wait_for(&self, reached: impl FnMut(&Counts) -> bool) {
        // It fails only when the sender is gone, which is in `self`.
        drop(self.counts.subscribe().wait_for(reached).await);
    }

    fn is_new(&self, id: Option<u64>, seen: impl FnOnce(&mut Book) -> &mut Seen) -> bool {
        id.is_none_or(|id| seen(&mut self.book()).insert(id))
    }

    fn show(&self, text: impl FnOnce() -> String) {
        let mut book = self.book();
        if book.shown.len() < SHOWN {
            book.shown.push(text());
        }
    }

    fn book(&self) -> std::sync::MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
