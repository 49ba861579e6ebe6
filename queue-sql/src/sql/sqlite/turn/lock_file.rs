//! The lock file beside a database, by which the processes that write to it take turns.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

/// How long the lock is waited for: many times a transaction, and short beside the deadline of a call. After that the
/// holder is taken to be frozen.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// The lock file. The system frees it when its holder ends, however that comes.
#[derive(Debug)]
pub(super) struct LockFile {
    path: PathBuf,
    /// Whether a thread waits for the lock, perhaps for one that nobody here waits for any longer.
    waiting: Arc<AtomicBool>,
}

/// The lock, until it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    /// Closing it frees the lock.
    _file: File,
}

impl LockFile {
    pub(super) fn beside(database: &Path) -> Self {
        let mut path = database.as_os_str().to_owned();
        path.push("-writer.lock");
        Self { path: path.into(), waiting: Arc::default() }
    }

    /// Waits for the lock; `None` if it can't be had: the file system knows none, or its holder is frozen.
    pub(super) async fn take(&self) -> Option<Held> {
        let file = open(&self.path).ok()?;
        match file.try_lock() {
            Ok(()) => Some(Held { _file: file }),
            Err(TryLockError::WouldBlock) => self.wait(file).await,
            Err(TryLockError::Error(_)) => None,
        }
    }

    /// Waits on a thread, as there is no other way to wait for a file's lock. It is not one of the runtime's, which would
    /// wait for it when it shuts down.
    async fn wait(&self, file: File) -> Option<Held> {
        if self.waiting.swap(true, Ordering::AcqRel) {
            return None; // the one before is still waiting: its holder is frozen
        }
        let (granted, grant) = oneshot::channel();
        let waiting = Arc::clone(&self.waiting);
        let thread = std::thread::Builder::new().name("queue-sql-lock".to_owned()).spawn(move || {
            let locked = file.lock();
            waiting.store(false, Ordering::Release);
            if locked.is_ok() {
                granted.send(Held { _file: file }).ok(); // nobody waits any longer: dropping it frees it
            }
        });
        if thread.is_err() {
            self.waiting.store(false, Ordering::Release);
            return None;
        }
        timeout(LONGEST_WAIT, grant).await.ok()?.ok()
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).truncate(false).write(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    // TQ14
    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn the_lock_passes_from_one_to_the_next() {
        let directory = tempfile::tempdir().unwrap();
        let [first, second] = [(); 2].map(|()| LockFile::beside(&directory.path().join("jobs.db")));
        let held = first.take().await.unwrap();
        let waiting = Arc::clone(&second.waiting);
        let tasks = tokio_util::task::TaskTracker::new();
        let waits = tasks.spawn(async move { second.take().await.is_some() });
        while !waiting.load(Ordering::Acquire) {
            tokio::task::yield_now().await;
        }
        assert!(!waits.is_finished());
        drop(held);
        assert!(waits.await.unwrap());
    }

    // TQ14
    #[tokio::test]
    async fn a_frozen_holder_is_waited_for_once_and_then_passed() {
        let directory = tempfile::tempdir().unwrap();
        let [holder, other] = [(); 2].map(|()| LockFile::beside(&directory.path().join("jobs.db")));
        let held = holder.take().await.unwrap();
        assert!(other.take().await.is_none()); // after a wait
        let begun = tokio::time::Instant::now();
        assert!(other.take().await.is_none());
        assert!(begun.elapsed() < LONGEST_WAIT / 2, "it was not waited for again");
        drop(held);
        while other.waiting.load(Ordering::Acquire) {
            tokio::task::yield_now().await;
        }
        assert!(other.take().await.is_some());
    }

    #[tokio::test]
    async fn without_a_place_for_the_file_there_is_no_lock() {
        assert!(LockFile::beside(Path::new("/nowhere/jobs.db")).take().await.is_none());
    }
}
