//! A ledger: the file in which a test and its children write what they did.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use tempfile::TempDir;

use crate::balance::Balance;
use crate::entry::{Entry, What};
use crate::error::HarnessError;
use crate::pen::Pen;

/// The file in which a test and its children write what they did, a line of JSON for each entry.
///
/// # Drop
/// The file is removed, unless the test is failing: then it stays, and stderr says where.
#[derive(Debug)]
pub struct Ledger {
    folder: Option<TempDir>,
    book: Book,
}

/// What a program needs of the ledger.
#[derive(Clone, Debug)]
pub(crate) struct Book {
    file: Arc<Path>,
    pen: Pen,
    runs: Arc<AtomicU64>,
}

/// Where the test writes down what becomes of a run.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    /// The run.
    pub(crate) run: u64,
    pen: Pen,
}

impl Ledger {
    /// Makes an empty ledger in a temporary folder.
    ///
    /// # Errors
    /// When that can't be made.
    pub fn create() -> Result<Self, HarnessError> {
        let system = |error| HarnessError::system("a ledger can't be made", error);
        let folder = tempfile::Builder::new().prefix("ledger-").tempdir().map_err(system)?;
        let file: Arc<Path> = folder.path().join("ledger").into();
        File::create(&file).map_err(system)?;
        let pen = Pen::open(&file, 0).map_err(system)?;
        Ok(Self { folder: Some(folder), book: Book { file, pen, runs: Arc::default() } })
    }

    /// What the test itself writes with.
    pub fn pen(&self) -> &Pen {
        &self.book.pen
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.book.file
    }

    /// What the entries come to until now.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn balance(&self) -> Result<Balance, HarnessError> {
        let text = fs::read(&self.book.file);
        let text = text.map_err(|error| HarnessError::system("the ledger can't be read", error))?;
        let text = String::from_utf8_lossy(&text);
        let lines = text.lines().filter(|line| !line.is_empty());
        Ok(Balance::of(lines.map(|line| serde_json::from_str::<Entry>(line).ok())))
    }

    pub(crate) fn book(&self) -> Book {
        self.book.clone()
    }
}

impl Book {
    /// The file.
    pub(crate) fn file(&self) -> PathBuf {
        self.file.to_path_buf()
    }

    /// A page for the next run of a program.
    pub(crate) fn next_page(&self) -> Page {
        Page { run: self.runs.fetch_add(1, Ordering::Relaxed) + 1, pen: self.pen.clone() }
    }
}

impl Page {
    /// Writes down what becomes of the run.
    pub(crate) fn write(&self, what: impl FnOnce(u64) -> What) -> Result<(), HarnessError> {
        let written = self.pen.write(what(self.run));
        written.map_err(|error| HarnessError::system("the ledger can't be written", error))
    }
}

impl Drop for Ledger {
    #[expect(clippy::print_stderr, reason = "whoever reads of a failed test wants to look into its ledger")]
    fn drop(&mut self) {
        if let Some(folder) = self.folder.take_if(|_| thread::panicking()) {
            eprintln!("the ledger is kept: {}", folder.keep().join("ledger").display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn entries_of_many_threads_are_all_there_each_whole() {
        let ledger = Ledger::create().unwrap();
        thread::scope(|scope| {
            for run in 1..=4 {
                let pen = Pen::open(ledger.path(), run).unwrap();
                scope.spawn(move || {
                    (1..=250).for_each(|number| pen.sent(&format!("k{run}"), number).unwrap());
                });
            }
        });
        let balance = ledger.balance().unwrap();
        assert_eq!((balance.sent(), balance.lost().len(), balance.torn()), (1000, 1000, 0), "{balance}");
        assert!(balance.gaps().is_empty());
    }

    #[test]
    fn a_line_that_a_kill_cut_off_spoils_no_other() {
        let ledger = Ledger::create().unwrap();
        ledger.pen().sent("a", 1).unwrap();
        let mut file = File::options().append(true).open(ledger.path()).unwrap();
        file.write_all(b"\n{\"run\":1,\"nth\":1,\"wh").unwrap();
        ledger.pen().finished("a", 1).unwrap();
        let balance = ledger.balance().unwrap();
        assert_eq!((balance.torn(), balance.finished()), (1, 1));
        assert!(balance.lost().is_empty() && balance.gaps().is_empty());
    }

    #[test]
    fn the_ledger_of_a_test_that_fails_is_kept() {
        let path = thread::spawn(|| {
            let ledger = Ledger::create().unwrap();
            ledger.pen().sent("a", 1).unwrap();
            let path = ledger.path().to_owned();
            let _failing = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let _ledger = ledger;
                std::panic::resume_unwind(Box::new("a test fails"));
            }));
            path
        });
        let path = path.join().unwrap();
        assert!(fs::read_to_string(&path).unwrap().contains("sent"));
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    #[test]
    fn the_ledger_of_a_test_that_passes_is_removed() {
        let ledger = Ledger::create().unwrap();
        let path = ledger.path().to_owned();
        drop(ledger);
        assert!(!path.exists());
    }
}
