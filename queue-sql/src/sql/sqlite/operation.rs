//! An operation: one thing that is done in a database, and the caller who waits for it.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use queue_core::QueueError;
use sqlx::SqliteConnection;
use tokio::sync::oneshot;

use super::errors::is_busy;
use super::statements::Statements;

/// One thing that is done in a database. It can be done again after it failed or was rolled back.
#[async_trait]
pub(super) trait Operation: Debug + Send + Sync + 'static {
    /// What the caller gets.
    type Answer: Send + 'static;

    /// What it is called in errors.
    const WHAT: &'static str;

    /// Whether each of its statements can stand by itself, without a transaction around them.
    fn is_single(&self) -> bool {
        false
    }

    /// Does it.
    async fn run(&self, on: On<'_>) -> Result<Self::Answer, sqlx::Error>;
}

/// What an operation runs on: a connection, and the statements for its tables.
#[derive(Debug)]
pub(super) struct On<'a> {
    pub(super) connection: &'a mut SqliteConnection,
    pub(super) statements: &'a Statements,
}

/// An operation in the line, whatever it answers.
#[async_trait]
pub(super) trait Entry: Debug + Send {
    fn what(&self) -> &'static str;

    fn is_single(&self) -> bool;

    /// Whether the caller does not wait any longer.
    fn is_abandoned(&self) -> bool;

    /// Does it and keeps the answer.
    async fn run(&mut self, on: On<'_>) -> Result<(), sqlx::Error>;

    /// Tells the caller: the answer that is kept, or why there is none.
    fn finish(self: Box<Self>, failure: Option<QueueError>);
}

/// An operation, its answer, and who waits for it.
#[derive(Debug)]
pub(super) struct Asked<O: Operation> {
    operation: O,
    answer: Option<O::Answer>,
    caller: oneshot::Sender<Result<O::Answer, QueueError>>,
    begun: Arc<AtomicBool>,
}

/// What the caller waits for.
#[derive(Debug)]
pub(super) struct Pending<A> {
    pub(super) answer: oneshot::Receiver<Result<A, QueueError>>,
    begun: Arc<AtomicBool>,
}

impl<A> Pending<A> {
    /// Whether it may have been done.
    pub(super) fn was_begun(&self) -> bool {
        self.begun.load(Ordering::Acquire)
    }
}

/// Makes an entry of an operation.
pub(super) fn ask<O: Operation>(operation: O) -> (Asked<O>, Pending<O::Answer>)
where
    O::Answer: Debug,
{
    let (caller, answer) = oneshot::channel();
    let begun = Arc::new(AtomicBool::new(false));
    let asked = Asked { operation, answer: None, caller, begun: Arc::clone(&begun) };
    (asked, Pending { answer, begun })
}

#[async_trait]
impl<O: Operation> Entry for Asked<O>
where
    O::Answer: Debug,
{
    fn what(&self) -> &'static str {
        O::WHAT
    }

    fn is_single(&self) -> bool {
        self.operation.is_single()
    }

    fn is_abandoned(&self) -> bool {
        self.caller.is_closed()
    }

    async fn run(&mut self, on: On<'_>) -> Result<(), sqlx::Error> {
        self.begun.store(true, Ordering::Release);
        let outcome = self.operation.run(on).await;
        if outcome.as_ref().is_err_and(is_busy) {
            self.begun.store(false, Ordering::Release); // nothing happened
        }
        self.answer = Some(outcome?);
        Ok(())
    }

    fn finish(self: Box<Self>, failure: Option<QueueError>) {
        let lost = || QueueError::indeterminate(format!("{}: it was not answered", O::WHAT));
        let answer = match failure {
            Some(error) => Err(error),
            None => self.answer.ok_or_else(lost),
        };
        // A caller who has gone does not hear of it.
        self.caller.send(answer).ok();
    }
}
