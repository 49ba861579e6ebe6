//! A balance: what a ledger's entries come to.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use crate::entry::{Entry, Piece, What};

/// What a ledger's entries come to.
///
/// A test asserts what it is owed and shows the balance where that fails:
/// `assert!(balance.lost().is_empty(), "{balance}")`.
#[derive(Clone, Debug, Default)]
pub struct Balance {
    sending: BTreeSet<Piece>,
    sent: BTreeSet<Piece>,
    finished: BTreeMap<Piece, usize>,
    unsent: BTreeSet<Piece>,
    disorder: Vec<Disorder>,
    overlaps: Vec<Overlap>,
    most_at_once: BTreeMap<String, usize>,
    torn: usize,
    gaps: Vec<(u64, u64)>,
}

/// Two pieces of a key were finished in the wrong order.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Disorder {
    /// The key.
    pub key: String,
    /// The number that was finished first, though it is the later one.
    pub before: u64,
    /// The number that was finished for the first time after that.
    pub after: u64,
}

/// Work on a piece began while work on the same key was under way.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Overlap {
    /// The key.
    pub key: String,
    /// The number under way, and the run that was at it.
    pub under_way: (u64, u64),
    /// The number that was begun, and the run that began it.
    pub begun: (u64, u64),
}

/// What is remembered from one entry to the next.
#[derive(Default)]
struct Reading {
    balance: Balance,
    /// By key: the numbers under way, each with its run.
    open: HashMap<String, Vec<(u64, u64)>>,
    /// By key: the highest number finished.
    highest: HashMap<String, u64>,
    /// By run: how many entries were read.
    entries: HashMap<u64, u64>,
}

impl Balance {
    /// Reads entries in order; one that can't be read is torn.
    pub(crate) fn of(entries: impl IntoIterator<Item = Option<Entry>>) -> Self {
        let mut reading = Reading::default();
        for entry in entries {
            match entry {
                Some(entry) => reading.read(entry),
                None => reading.balance.torn += 1,
            }
        }
        reading.balance
    }

    /// How many different pieces were sent for certain.
    pub fn sent(&self) -> usize {
        self.sent.len()
    }

    /// How many different pieces were finished.
    pub fn finished(&self) -> usize {
        self.finished.len()
    }

    /// What was sent for certain and never finished: key and number.
    pub fn lost(&self) -> Vec<(&str, u64)> {
        let lost = self.sent.iter().filter(|piece| !self.finished.contains_key(piece));
        lost.map(|piece| (piece.key.as_str(), piece.number)).collect()
    }

    /// How often a piece was finished that had been finished before.
    pub fn duplicates(&self) -> usize {
        self.finished.values().map(|times| times - 1).sum()
    }

    /// What was worked on though nobody ever sent it: key and number.
    pub fn unsent(&self) -> Vec<(&str, u64)> {
        self.unsent.iter().map(|piece| (piece.key.as_str(), piece.number)).collect()
    }

    /// Where a piece was finished for the first time after a later one of its key. Repetitions are no disorder.
    pub fn disorder(&self) -> &[Disorder] {
        &self.disorder
    }

    /// Where two pieces of a key, or one piece twice, were worked on at once. A run that is killed works on nothing
    /// from just before the signal is sent.
    pub fn overlaps(&self) -> &[Overlap] {
        &self.overlaps
    }

    /// How many pieces of the key were worked on at once at most: the holders of a permit, where the key is its key.
    pub fn most_at_once(&self, key: &str) -> usize {
        self.most_at_once.get(key).copied().unwrap_or_default()
    }

    /// How many entries a kill has cut off in the middle.
    pub fn torn(&self) -> usize {
        self.torn
    }

    /// The run and the number of each entry that comes after one that is missing. A ledger with gaps proves nothing.
    pub fn gaps(&self) -> &[(u64, u64)] {
        &self.gaps
    }
}

impl Reading {
    fn read(&mut self, Entry { run, nth, what }: Entry) {
        let entries = self.entries.entry(run).or_default();
        if nth != *entries + 1 {
            self.balance.gaps.push((run, nth));
        }
        *entries = nth;
        match what {
            What::Sending(piece) => drop(self.balance.sending.insert(piece)),
            What::Sent(piece) => drop(self.balance.sent.insert(piece)),
            What::Started(piece) => self.started(run, piece),
            What::Finished(piece) => self.finished(run, piece),
            What::Failed(piece) => self.close(run, &piece),
            What::Dying { victim } | What::Dead { victim } => self.close_all(victim),
        }
    }

    fn started(&mut self, run: u64, piece: Piece) {
        self.note_unsent(&piece);
        let open = self.open.entry(piece.key.clone()).or_default();
        let overlap = |&under_way: &(u64, u64)| Overlap {
            key: piece.key.clone(),
            under_way,
            begun: (piece.number, run),
        };
        self.balance.overlaps.extend(open.iter().map(overlap));
        open.push((piece.number, run));
        let most = self.balance.most_at_once.entry(piece.key).or_default();
        *most = open.len().max(*most);
    }

    fn finished(&mut self, run: u64, piece: Piece) {
        self.note_unsent(&piece);
        self.close(run, &piece);
        let times = self.balance.finished.entry(piece.clone()).or_default();
        *times += 1;
        if *times > 1 {
            return;
        }
        let highest = self.highest.entry(piece.key.clone()).or_default();
        if *highest > piece.number {
            self.balance.disorder.push(Disorder { key: piece.key, before: *highest, after: piece.number });
        }
        *highest = piece.number.max(*highest);
    }

    fn note_unsent(&mut self, piece: &Piece) {
        if !self.balance.sent.contains(piece) && !self.balance.sending.contains(piece) {
            self.balance.unsent.insert(piece.clone());
        }
    }

    fn close(&mut self, run: u64, piece: &Piece) {
        let open = self.open.entry(piece.key.clone()).or_default();
        if let Some(at) = open.iter().position(|&begun| begun == (piece.number, run)) {
            open.remove(at);
        }
    }

    fn close_all(&mut self, run: u64) {
        self.open.values_mut().for_each(|open| open.retain(|&(_, by)| by != run));
    }
}

impl fmt::Display for Balance {
    /// Numbers first, then the first few of what is wrong.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sent, finished) = (self.sent.len(), self.finished.len());
        write!(f, "{sent} sent, {finished} finished, {} again", self.duplicates())?;
        write_some(f, "lost", &self.lost())?;
        write_some(f, "never sent", &self.unsent())?;
        write_some(f, "in disorder", &self.disorder)?;
        write_some(f, "at once", &self.overlaps)?;
        write_some(f, "after a missing entry", &self.gaps)?;
        if self.torn > 0 {
            write!(f, "; {} entries cut off", self.torn)?;
        }
        Ok(())
    }
}

fn write_some<T: fmt::Debug>(f: &mut fmt::Formatter<'_>, what: &str, all: &[T]) -> fmt::Result {
    match all {
        [] => Ok(()),
        _ => write!(f, "; {} {what}, the first {:?}", all.len(), &all[..all.len().min(5)]),
    }
}

#[cfg(test)]
mod tests;
