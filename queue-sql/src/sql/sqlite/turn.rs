//! The turn to write: one writer at a time of a database file, in this process and, as far as it goes, of all.
//!
//! SQLite lets one connection write at a time, and makes the others try again after naps: several processes starve each
//! other for seconds that way. So they queue for the file before they ask SQLite.

mod lock_file;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use tokio::sync::{Mutex as FairMutex, MutexGuard};

use lock_file::{Held, LockFile};

/// The turns of the files that this process has open.
static TURNS: LazyLock<Mutex<HashMap<PathBuf, Weak<Turn>>>> = LazyLock::new(Mutex::default);

/// Whose turn it is to write to one database, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Turn {
    in_process: FairMutex<()>,
    across: Option<LockFile>,
}

impl Turn {
    /// The turn of a file, the same for everyone in this process; of its own for a database without a file.
    pub(super) fn of(file: Option<&Path>) -> Arc<Self> {
        let Some(file) = file else { return Arc::default() };
        let mut turns = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| turn.strong_count() > 0);
        if let Some(turn) = turns.get(file).and_then(Weak::upgrade) {
            return turn;
        }
        let turn = Arc::new(Self { in_process: FairMutex::default(), across: Some(LockFile::beside(file)) });
        turns.insert(file.to_owned(), Arc::downgrade(&turn));
        turn
    }

    /// Waits for the turn.
    ///
    /// It is had in any case within seconds: whoever is frozen with the lock file in hand is passed, as SQLite has a
    /// lock of its own.
    pub(super) async fn take(&self) -> Taken<'_> {
        let in_process = self.in_process.lock().await;
        let across = match &self.across {
            Some(across) => across.take().await,
            None => None,
        };
        Taken { _across: across, _in_process: in_process }
    }
}

/// The turn, until it is dropped.
#[derive(Debug)]
pub(super) struct Taken<'a> {
    _across: Option<Held>,
    _in_process: MutexGuard<'a, ()>,
}

#[cfg(test)]
mod tests {
    use super::*;

    // TQ14
    #[tokio::test]
    async fn handles_of_one_file_share_their_turn_for_as_long_as_there_are_any() {
        let file = Path::new("/nowhere/jobs.db");
        let (first, second) = (Turn::of(Some(file)), Turn::of(Some(file)));
        assert!(Arc::ptr_eq(&first, &second));
        assert!(!Arc::ptr_eq(&first, &Turn::of(Some(Path::new("/nowhere/other.db")))));
        assert!(!Arc::ptr_eq(&Turn::of(None), &Turn::of(None)));
        let taken = first.take().await; // the directory is missing: there is no lock file to be had
        assert!(second.in_process.try_lock().is_err());
        drop(taken);
        drop((first, second));
        assert!(TURNS.lock().unwrap().get(file).is_none_or(|turn| turn.strong_count() == 0));
    }
}
