//! A batch: the operations of one transaction.

use std::time::Duration;

use queue_core::QueueError;
use sqlx::SqliteConnection;
use tokio::time::sleep;

use super::Line;
use crate::sql::sqlite::errors::{commit_failed, is_busy, is_plain, write_failed};
use crate::sql::sqlite::operation::{Entry, On};

/// The longest pause before another try, when somebody else holds SQLite's lock; at least half of it is kept.
const PAUSE: Duration = Duration::from_millis(20);

/// The operations of one transaction.
pub(super) struct Batch<'a> {
    line: &'a Line,
    slots: Vec<Slot>,
    /// Whether the connection can be used for another batch.
    is_sound: bool,
}

/// An operation, and why it was not done.
struct Slot {
    entry: Box<dyn Entry>,
    failure: Option<QueueError>,
}

/// Which step of a transaction failed. There is none any longer.
enum Failed {
    Begin(sqlx::Error),
    Operation(sqlx::Error),
    Commit(sqlx::Error),
}

impl<'a> Batch<'a> {
    pub(super) fn new(entries: Vec<Box<dyn Entry>>, line: &'a Line) -> Self {
        let slots = entries.into_iter().map(|entry| Slot { entry, failure: None }).collect();
        Self { line, slots, is_sound: true }
    }

    /// Does the operations in one transaction. If one of them fails nothing of it stays, and each is done by itself: so
    /// the one that fails fails alone, and no operation needs a savepoint. A single one that is one statement is its own
    /// transaction.
    pub(super) async fn run(&mut self, connection: &mut SqliteConnection) {
        let all = 0..self.slots.len();
        if all.len() > 1 {
            match self.transact(all.clone(), connection).await {
                Ok(()) => return,
                Err(Failed::Operation(_)) if self.is_sound => {}
                Err(failed) => return self.fail(all, failed),
            }
        }
        for each in all {
            self.run_one(each, connection).await;
        }
    }

    /// Answers all, and says whether the connection is sound.
    pub(super) fn finish(self) -> bool {
        for slot in self.slots {
            slot.entry.finish(slot.failure);
        }
        self.is_sound
    }

    async fn run_one(&mut self, at: usize, connection: &mut SqliteConnection) {
        loop {
            let outcome = if self.slots[at].entry.is_single() {
                self.run_slot(at, connection).await.map_err(Failed::Operation)
            } else {
                self.transact(at..at + 1, connection).await
            };
            match outcome {
                Ok(()) => return,
                Err(Failed::Operation(error)) if is_busy(&error) && self.is_wanted(at..at + 1) => {
                    pause().await;
                }
                Err(failed) => return self.fail(at..at + 1, failed),
            }
        }
    }

    async fn run_slot(&mut self, at: usize, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        let entry = &mut self.slots[at].entry;
        if entry.is_abandoned() {
            return Ok(());
        }
        let outcome = entry.run(On { connection, statements: &self.line.statements }).await;
        self.is_sound &= outcome.as_ref().err().is_none_or(|error| error.as_database_error().is_some());
        outcome
    }

    async fn transact(&mut self, slots: Slots, connection: &mut SqliteConnection) -> Result<(), Failed> {
        self.control("BEGIN IMMEDIATE", slots.clone(), connection).await.map_err(Failed::Begin)?;
        for at in slots.clone() {
            if let Err(error) = self.run_slot(at, connection).await {
                self.roll_back(connection).await;
                return Err(Failed::Operation(error));
            }
        }
        if let Err(error) = self.control("COMMIT", slots, connection).await {
            self.roll_back(connection).await;
            return Err(Failed::Commit(error));
        }
        Ok(())
    }

    /// Begins or commits, and tries again for as long as anybody waits for it.
    async fn control(
        &mut self,
        statement: &'static str,
        slots: Slots,
        connection: &mut SqliteConnection,
    ) -> Result<(), sqlx::Error> {
        loop {
            match sqlx::query(statement).execute(&mut *connection).await {
                Ok(_) => return Ok(()),
                Err(error) if is_busy(&error) && self.is_wanted(slots.clone()) => pause().await,
                Err(error) => {
                    self.is_sound &= error.as_database_error().is_some();
                    return Err(error);
                }
            }
        }
    }

    /// Some errors make SQLite roll back by itself; then there is nothing left to roll back.
    async fn roll_back(&mut self, connection: &mut SqliteConnection) {
        if let Err(error) = sqlx::query("ROLLBACK").execute(connection).await {
            self.is_sound &= is_plain(&error);
        }
    }

    fn is_wanted(&self, mut slots: Slots) -> bool {
        slots.any(|at| !self.slots[at].entry.is_abandoned())
    }

    fn fail(&mut self, slots: Slots, failed: Failed) {
        let what = self.slots[slots.start].entry.what();
        let file = self.line.file.as_deref();
        let failure = match failed {
            Failed::Begin(error) | Failed::Operation(error) => write_failed(what, file, error),
            Failed::Commit(error) => commit_failed(what, file, error),
        };
        for slot in &mut self.slots[slots] {
            slot.failure = Some(failure.clone());
        }
    }
}

/// Which operations of a batch.
type Slots = std::ops::Range<usize>;

async fn pause() {
    sleep(PAUSE.mul_f64(0.5 + fastrand::f64() / 2.0)).await;
}
