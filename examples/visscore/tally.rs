//! The tally: where producer and consumers count, and where one can wait for a count.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::counts::Counts;
use crate::letter::Refused;
use crate::origin::Origin;
use crate::seen::Seen;

/// How many quarantined lines are kept to be shown.
const SHOWN: usize = 10;
/// How many messages may be published and unsettled: enough for full batches, and a bound for memory.
const MOST_UNSETTLED: u64 = 20_000;

/// Counts each line and each visit once.
///
/// A process that sends counts its own run's visits, and those of other runs apart; one that only handles counts all.
#[derive(Debug)]
pub(crate) struct Tally {
    run: Arc<str>,
    sends: bool,
    counts: watch::Sender<Counts>,
    book: Mutex<Book>,
}

/// What tells a duplicate from a first one, and what is shown of the quarantine.
#[derive(Debug, Default)]
struct Book {
    handled: HashMap<Arc<str>, Seen>,
    given_up: HashMap<Arc<str>, Seen>,
    discarded: HashMap<Arc<str>, Seen>,
    shown: Vec<String>,
}

impl Tally {
    /// Makes the tally of a run of its own.
    pub(crate) fn new(sends: bool) -> Self {
        let run = Arc::from(format!("{:08x}", fastrand::u32(..)));
        Self { run, sends, counts: watch::Sender::default(), book: Mutex::default() }
    }

    /// The name of this run.
    pub(crate) fn run(&self) -> Arc<str> {
        Arc::clone(&self.run)
    }

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
    pub(crate) fn handled(&self, visit: &Origin) {
        let new = self.is_new(visit, |book| &mut book.handled);
        let ours = self.is_ours(visit);
        self.note(|counts| {
            counts.handled += u64::from(ours);
            counts.unique += u64::from(ours && new);
            counts.earlier += u64::from(!ours && new);
        });
    }

    /// Counts a malformed body that goes to quarantine.
    pub(crate) fn discarded(&self, line: &Origin, reason: &str) {
        if !self.is_new(line, |book| &mut book.discarded) || !self.is_ours(line) {
            return;
        }
        let from =
            line.number.map_or_else(|| "a message of unknown line".to_owned(), |line| format!("line {line}"));
        self.show(|| format!("{from}, quarantined by the consumer: {reason}"));
        self.note(|counts| counts.discarded += 1);
    }

    /// Counts a visit that goes to quarantine because it failed too often.
    pub(crate) fn given_up(&self, visit: &Origin) {
        if self.is_new(visit, |book| &mut book.given_up) && self.is_ours(visit) {
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

    fn is_ours(&self, origin: &Origin) -> bool {
        !self.sends || origin.run.is_none() || origin.run.as_ref() == Some(&self.run)
    }

    fn is_new(&self, origin: &Origin, seen: impl FnOnce(&mut Book) -> &mut HashMap<Arc<str>, Seen>) -> bool {
        let run = origin.run.clone().unwrap_or_default();
        origin.number.is_none_or(|id| seen(&mut self.book()).entry(run).or_default().insert(id))
    }

    fn show(&self, text: impl FnOnce() -> String) {
        let mut book = self.book();
        if book.shown.len() < SHOWN {
            book.shown.push(text());
        }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
