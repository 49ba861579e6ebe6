//! The task that writes what waits in a line, for as long as anything does.

use std::sync::Arc;
use std::time::Duration;

use queue_core::QueueError;
use sqlx::Sqlite;
use tokio::task::yield_now;
use tokio::time::timeout;

use super::Line;
use super::batch::Batch;
use crate::call::{Call, Lease};

/// How long the task keeps its connection for what may come next. A consumer that goes from call to call is back sooner.
const LINGER: Duration = Duration::from_millis(10);
/// How long a connection of the pool is waited for at a time. The callers have deadlines of their own.
const CONNECTING: Duration = Duration::from_secs(5);

/// Writes until nothing waits any longer.
pub(super) async fn serve(line: Arc<Line>) {
    let mut service = Service { line: &line, is_over: false };
    while !line.close_if_empty() {
        match Call::<Sqlite>::new(&line.pool, CONNECTING, "write").lease().await {
            Ok(lease) => write(&line, lease).await,
            Err(error) => refuse(&line, &error),
        }
    }
    service.is_over = true;
}

/// Says that the line is served, until it is over or dropped. Its runtime may be shut down, and another one go on.
struct Service<'a> {
    line: &'a Line,
    is_over: bool,
}

impl Drop for Service<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.line.lock().is_served = false;
        }
    }
}

/// Writes with one connection. A pool of one connection gets it back after each transaction, as others wait for it.
async fn write(line: &Line, mut lease: Lease<Sqlite>) {
    loop {
        let turn = line.turn.take().await;
        let mut batch = Batch::new(line.next(), line);
        batch.run(lease.connection()).await;
        drop(turn);
        if !batch.finish() {
            return; // dropping the lease closes the connection
        }
        if line.pool.options().get_max_connections() < 2 || !more(line).await {
            return lease.give_back();
        }
    }
}

/// Whether something waits, or comes at once. Those who were answered get the chance to come back first, so that their
/// next operations share one transaction.
async fn more(line: &Line) -> bool {
    yield_now().await;
    let arrival = async {
        while line.lock().entries.is_empty() {
            line.arrived.notified().await;
        }
    };
    timeout(LINGER, arrival).await.is_ok()
}

/// Tells all who wait why there is no connection.
fn refuse(line: &Line, error: &QueueError) {
    for entry in line.next() {
        entry.finish(Some(error.clone()));
    }
}
