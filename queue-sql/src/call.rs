//! One call at a database: a connection of the pool, a deadline, retries of what other transactions were in the way of.

use std::ops::ControlFlow;
use std::time::Duration;

use queue_core::QueueError;
use sqlx::pool::PoolConnection;
use sqlx::{Database, Pool};
use tokio::time::{Instant, sleep, timeout_at};

use crate::error::{Judge, Moment, classify, is_retryable};

/// The pause before the first retry after a deadlock; each further one may be twice as long, half of it by chance.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
/// The longest pause between two retries.
const LONGEST_PAUSE: Duration = Duration::from_millis(250);
/// How often a call is retried because of a deadlock or the like. One in a thousand calls meets one under load, so that
/// this many in a row mean something else.
const RETRIES: u32 = 20;

/// A call that is being made.
#[derive(Debug)]
pub(crate) struct Call<'a, DB: Judge> {
    pool: &'a Pool<DB>,
    what: &'static str,
    allowed: Duration,
    deadline: Instant,
    retries: u32,
}

impl<'a, DB: Judge> Call<'a, DB> {
    pub(crate) fn new(pool: &'a Pool<DB>, allowed: Duration, what: &'static str) -> Self {
        Self { pool, what, allowed, deadline: Instant::now() + allowed, retries: 0 }
    }

    /// Takes a connection.
    pub(crate) async fn lease(&self) -> Result<Lease<DB>, QueueError> {
        match timeout_at(self.deadline, self.pool.acquire()).await {
            Ok(Ok(connection)) => Ok(Lease(Some(connection))),
            Ok(Err(error)) => Err(classify::<DB>(self.what, Moment::Connecting, error)),
            Err(_) => Err(QueueError::transient(format!(
                "{}: no connection within the deadline of {:?}",
                self.what, self.allowed
            ))),
        }
    }

    /// Does the work on it, until the deadline at most; `None` if that came first.
    pub(crate) async fn limit<T>(
        &self,
        work: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Option<Result<T, sqlx::Error>> {
        timeout_at(self.deadline, work).await.ok()
    }

    /// Ends the call, or a try of it: the connection goes back to the pool if it is sound.
    pub(crate) async fn end<T>(
        &mut self,
        lease: Lease<DB>,
        outcome: Option<Result<T, sqlx::Error>>,
    ) -> ControlFlow<Result<T, QueueError>> {
        let error = match outcome {
            Some(Ok(answer)) => {
                lease.give_back();
                return ControlFlow::Break(Ok(answer));
            }
            Some(Err(error)) => error,
            None => return ControlFlow::Break(Err(self.too_late())),
        };
        if error.as_database_error().is_some() {
            lease.give_back();
        }
        if !is_retryable::<DB>(&error) || self.retries == RETRIES || !self.pause().await {
            return ControlFlow::Break(Err(classify::<DB>(self.what, Moment::Working, error)));
        }
        ControlFlow::Continue(())
    }

    fn too_late(&self) -> QueueError {
        QueueError::indeterminate(format!(
            "{}: no answer within the deadline of {:?}",
            self.what, self.allowed
        ))
    }

    /// Pauses before a retry; `false` if the deadline would pass.
    async fn pause(&mut self) -> bool {
        let longest = (FIRST_PAUSE * (1 << self.retries.min(10))).min(LONGEST_PAUSE);
        self.retries += 1;
        let pause = longest.mul_f64(0.5 + fastrand::f64() / 2.0);
        if Instant::now() + pause >= self.deadline {
            return false;
        }
        sleep(pause).await;
        true
    }
}

/// A connection of the pool, for the time of one call.
///
/// # Drop
/// Unless the call ended properly the connection is closed, not given back: it may be in the middle of an answer or of a
/// transaction. That is so for a call that was dropped and for one that ran into its deadline.
#[derive(Debug)]
pub(crate) struct Lease<DB: Database>(Option<PoolConnection<DB>>);

impl<DB: Database> Lease<DB> {
    /// The connection.
    #[expect(
        clippy::expect_used,
        reason = "it is there until the lease is given back, which takes the lease"
    )]
    pub(crate) fn connection(&mut self) -> &mut DB::Connection {
        self.0.as_mut().expect("a lease that was not given back has its connection")
    }

    pub(crate) fn give_back(mut self) {
        drop(self.0.take());
    }
}

impl<DB: Database> Drop for Lease<DB> {
    fn drop(&mut self) {
        if let Some(connection) = self.0.take() {
            drop(connection.detach());
        }
    }
}

/// Makes a call: `call!(store, "receive", connection => async_fn(connection, …))`, with `store.pool` and
/// `store.deadline`. The work is a future of `Result<_, sqlx::Error>`, made anew for each try.
macro_rules! call {
    ($store:expr, $what:expr, $connection:ident => $work:expr) => {{
        let mut call = $crate::call::Call::new(&$store.pool, $store.deadline, $what);
        loop {
            let mut lease = call.lease().await?;
            let outcome = {
                let $connection = lease.connection();
                call.limit($work).await
            };
            if let ::std::ops::ControlFlow::Break(answer) = call.end(lease, outcome).await {
                break answer;
            }
        }
    }};
}

pub(crate) use call;
