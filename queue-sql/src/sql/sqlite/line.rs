//! The line of operations that wait to be written, and the one task that writes them.
//!
//! SQLite makes one transaction durable after the other, whoever asks. So what waits while one is on its way to the disk
//! goes into the next together, and the disk is waited for once.

mod batch;
mod writer;

use std::collections::VecDeque;
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use queue_core::QueueError;
use sqlx::SqlitePool;
use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_util::task::TaskTracker;

use super::operation::{Entry, Operation, ask};
use super::statements::Statements;
use super::turn::Turn;

/// The most operations of one transaction: enough to share the wait for the disk among many, few enough to be brief.
const MOST: usize = 64;

/// The operations that wait to be written to one database.
#[derive(Debug)]
pub(super) struct Line {
    pool: SqlitePool,
    statements: Arc<Statements>,
    /// Where the database is, unless it is in memory.
    file: Option<PathBuf>,
    turn: Arc<Turn>,
    waiting: Mutex<Waiting>,
    /// Something has come into the line.
    arrived: Notify,
    tasks: TaskTracker,
}

#[derive(Debug, Default)]
struct Waiting {
    entries: VecDeque<Box<dyn Entry>>,
    /// Whether the task runs that writes them.
    is_served: bool,
}

impl Line {
    pub(super) fn new(pool: SqlitePool, statements: Arc<Statements>, file: Option<PathBuf>) -> Self {
        let turn = Turn::of(file.as_deref());
        let waiting = Mutex::default();
        Self { pool, statements, file, turn, waiting, arrived: Notify::new(), tasks: TaskTracker::new() }
    }

    /// Has an operation done, in the order of arrival.
    ///
    /// One whose caller has gone, or whose deadline passed, before it was begun is not begun. One that was begun is
    /// finished, as it is done by a task of its own.
    pub(super) async fn submit<O: Operation>(
        self: &Arc<Self>,
        operation: O,
        deadline: Duration,
    ) -> Result<O::Answer, QueueError>
    where
        O::Answer: Debug,
    {
        let (asked, mut pending) = ask(operation);
        self.enter(Box::new(asked));
        let what = O::WHAT;
        match timeout(deadline, &mut pending.answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(QueueError::indeterminate(format!("{what}: the task that writes was ended"))),
            Err(_) if pending.was_begun() => Err(QueueError::indeterminate(format!(
                "{what}: no answer within the deadline of {deadline:?}"
            ))),
            Err(_) => Err(QueueError::transient(format!(
                "{what}: other writers were in the way for all of the deadline of {deadline:?}"
            ))),
        }
    }

    fn enter(self: &Arc<Self>, entry: Box<dyn Entry>) {
        let mut waiting = self.lock();
        if waiting.entries.len() % MOST == MOST - 1 {
            waiting.entries.retain(|entry| !entry.is_abandoned()); // nothing may be taken for as long as the disk hangs
        }
        waiting.entries.push_back(entry);
        if std::mem::replace(&mut waiting.is_served, true) {
            self.arrived.notify_one();
        } else {
            self.tasks.spawn(writer::serve(Arc::clone(self)));
        }
    }

    /// Takes what is to be done next, at most [`MOST`].
    fn next(&self) -> Vec<Box<dyn Entry>> {
        let mut waiting = self.lock();
        waiting.entries.retain(|entry| !entry.is_abandoned());
        let count = waiting.entries.len().min(MOST);
        waiting.entries.drain(..count).collect()
    }

    /// Ends the service unless something waits.
    fn close_if_empty(&self) -> bool {
        let mut waiting = self.lock();
        waiting.is_served = !waiting.entries.is_empty();
        !waiting.is_served
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
