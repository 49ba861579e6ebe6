//! A tally: how much was sent and handled until now, read from the ledger as it grows.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;

use crate::Failure;

/// How much was sent and handled until now.
pub(crate) struct Tally {
    ledger: BufReader<File>,
    /// The beginning of a line whose end wasn't there yet.
    rest: Vec<u8>,
    sent: HashSet<(String, u64)>,
    handled: HashSet<(String, u64)>,
    /// What was sent for certain and not handled yet.
    open: usize,
    by_producer: HashMap<u64, u64>,
}

/// A line of the ledger, as far as it matters here.
#[derive(Deserialize)]
struct Line {
    what: String,
    key: Option<String>,
    number: Option<u64>,
}

impl Tally {
    pub(crate) fn of(ledger: &Path) -> Result<Self, Failure> {
        let ledger = BufReader::new(File::open(ledger)?);
        let (sent, handled) = (HashSet::new(), HashSet::new());
        Ok(Self { ledger, rest: Vec::new(), sent, handled, open: 0, by_producer: HashMap::new() })
    }

    /// Reads what came since the last time.
    pub(crate) fn read_on(&mut self) -> Result<(), Failure> {
        while self.ledger.read_until(b'\n', &mut self.rest)? > 0 {
            if self.rest.pop_if(|last| *last == b'\n').is_none() {
                return Ok(());
            }
            if let Ok(line) = serde_json::from_slice(&self.rest) {
                self.take(line);
            }
            self.rest.clear();
        }
        Ok(())
    }

    fn take(&mut self, line: Line) {
        let (Some(key), Some(number)) = (line.key, line.number) else { return };
        let producer = key.split('-').nth(1).and_then(|producer| producer.parse().ok());
        let piece = (key, number);
        match line.what.as_str() {
            "sent" => {
                *self.by_producer.entry(producer.unwrap_or_default()).or_default() += 1;
                self.open += usize::from(!self.handled.contains(&piece));
                self.sent.insert(piece);
            }
            "finished" => {
                let first = self.handled.insert(piece.clone());
                self.open -= usize::from(first && self.sent.contains(&piece));
            }
            _ => {}
        }
    }

    /// How many were sent for certain.
    pub(crate) fn sent(&self) -> u64 {
        self.sent.len() as u64
    }

    /// How many different ones were handled.
    pub(crate) fn handled(&self) -> u64 {
        self.handled.len() as u64
    }

    /// How many were sent for certain and not handled yet.
    pub(crate) fn open(&self) -> usize {
        self.open
    }

    /// How many a producer has sent for certain.
    pub(crate) fn by_producer(&self, id: u64) -> u64 {
        self.by_producer.get(&id).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use harness::Ledger;

    use super::*;

    #[test]
    fn what_is_sent_and_handled_is_counted_once_in_either_order() {
        let ledger = Ledger::create().unwrap();
        let mut tally = Tally::of(ledger.path()).unwrap();
        let pen = ledger.pen();
        for number in 1..=3 {
            pen.sending("s-7-0", number).unwrap();
            pen.sent("s-7-0", number).unwrap();
        }
        pen.finished("s-7-0", 4).unwrap();
        pen.finished("s-7-0", 1).unwrap();
        tally.read_on().unwrap();
        assert_eq!((tally.sent(), tally.handled(), tally.open()), (3, 2, 2));
        pen.sent("s-7-0", 4).unwrap();
        pen.finished("s-7-0", 1).unwrap();
        tally.read_on().unwrap();
        assert_eq!((tally.sent(), tally.handled(), tally.open(), tally.by_producer(7)), (4, 2, 2, 4));
    }
}
