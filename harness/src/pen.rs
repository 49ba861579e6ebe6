//! A pen: what a process writes into the ledger with.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::entry::{Entry, Piece, What};
use crate::inherited::Inherited;

/// What a process writes into the ledger with.
///
/// Each entry is one write at the end of one file that all processes share. It is there when the call returns, and
/// `kill -9` doesn't take it back. The order of entries is the order of what happened: what one process writes before
/// it lets another go on comes before what the other writes then. (The loss of the whole machine is not survived.)
///
/// Write what *was* done after it, and what is *about* to be done before it: `finished` is the effect itself.
#[derive(Clone, Debug)]
pub struct Pen {
    ink: Option<Arc<Ink>>,
}

#[derive(Debug)]
struct Ink {
    run: u64,
    /// The file, and how many entries this run has written.
    page: Mutex<(File, u64)>,
}

impl Pen {
    /// The pen of a process that a test started with a ledger; in any other process one that writes nothing.
    ///
    /// # Panics
    /// When the ledger's file can't be opened: a test whose ledger is empty would prove nothing.
    #[expect(clippy::expect_used, reason = "a test whose ledger is empty would prove nothing")]
    pub fn inherited() -> Self {
        static PEN: OnceLock<Pen> = OnceLock::new();
        PEN.get_or_init(|| match Inherited::here() {
            Some(Inherited { run, ledger: Some(file) }) => {
                Self::open(file, *run).expect("the ledger is a file that can be written")
            }
            _ => Self { ink: None },
        })
        .clone()
    }

    pub(crate) fn open(file: &Path, run: u64) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).open(file)?;
        Ok(Self { ink: Some(Arc::new(Ink { run, page: Mutex::new((file, 0)) })) })
    }

    /// It is about to be sent. Without [`sent`](Self::sent) after it, it may or may not be handled.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn sending(&self, key: &str, number: u64) -> io::Result<()> {
        self.write(What::Sending(Piece::new(key, number)))
    }

    /// It was sent, for certain: from now on it must not be lost.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn sent(&self, key: &str, number: u64) -> io::Result<()> {
        self.write(What::Sent(Piece::new(key, number)))
    }

    /// Work on it begins.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn started(&self, key: &str, number: u64) -> io::Result<()> {
        self.write(What::Started(Piece::new(key, number)))
    }

    /// Work on it has had its effect.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn finished(&self, key: &str, number: u64) -> io::Result<()> {
        self.write(What::Finished(Piece::new(key, number)))
    }

    /// Work on it ended without an effect; it is expected to be started again.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn failed(&self, key: &str, number: u64) -> io::Result<()> {
        self.write(What::Failed(Piece::new(key, number)))
    }

    pub(crate) fn write(&self, what: What) -> io::Result<()> {
        let Some(ink) = &self.ink else { return Ok(()) };
        let mut page = ink.page.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = Entry { run: ink.run, nth: page.1 + 1, what };
        // A line that a kill cut off has no end; so each line brings one before it.
        let line = format!("\n{}\n", serde_json::to_string(&entry)?);
        page.0.write_all(line.as_bytes())?;
        page.1 += 1;
        Ok(())
    }
}

impl Piece {
    fn new(key: &str, number: u64) -> Self {
        Self { key: key.to_owned(), number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_process_that_no_test_started_nothing_is_written() {
        let pen = Pen::inherited();
        assert!(pen.ink.is_none());
        pen.finished("key", 1).unwrap();
    }
}
