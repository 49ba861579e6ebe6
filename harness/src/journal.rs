//! A journal: a file into which several processes write what happened, a line of JSON for each.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A file into which several processes write at once, for what a [`Ledger`](crate::Ledger) has no word.
///
/// Each call is one write at the file's end and nothing is kept back, so that what was written survives `kill -9`.
#[derive(Clone, Debug)]
pub struct Journal(Arc<Mutex<File>>);

impl Journal {
    /// Opens it, and makes it if it isn't there.
    ///
    /// # Errors
    /// When it can't be opened.
    pub fn open(file: impl AsRef<Path>) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(file)?;
        Ok(Self(Arc::new(Mutex::new(file))))
    }

    /// Writes some lines.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn write<T: Serialize>(&self, lines: &[T]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        // A line that a kill cut off has no end; so each line brings one before it.
        let text = |line| Ok(format!("\n{}\n", serde_json::to_string(line)?));
        let text: String = lines.iter().map(text).collect::<io::Result<_>>()?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write_all(text.as_bytes())
    }

    /// Reads all lines of a journal; what a kill cut off is left out.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn read<T: DeserializeOwned>(file: impl AsRef<Path>) -> io::Result<Vec<T>> {
        let lines = BufReader::new(File::open(file)?).split(b'\n');
        let lines = lines.collect::<io::Result<Vec<_>>>()?;
        Ok(lines.iter().filter_map(|line| serde_json::from_slice(line).ok()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_what_was_cut_off_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal");
        let [one, other] = [Journal::open(&file).unwrap(), Journal::open(&file).unwrap()];
        one.write(&[(1, "a"), (2, "b")]).unwrap();
        File::options().append(true).open(&file).unwrap().write_all(b"\n[3,\"c").unwrap();
        other.write(&[(4, "d")]).unwrap();
        let read: Vec<(u64, String)> = Journal::read(&file).unwrap();
        assert_eq!(read.iter().map(|line| line.0).collect::<Vec<_>>(), [1, 2, 4]);
    }
}
