//! The life of ten messages: stored, received, deleted.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{Consumer, Delivery, Outgoing, PublisherExt, ReceiveOptions};
use queue_sql::{SqlQueue, SqlStore};
use tokio::time::Instant;

/// How many messages a call takes.
pub(crate) const BATCH: usize = 10;

/// Stores so many messages of 300 bytes.
pub(crate) async fn publish<S: SqlStore>(queue: &SqlQueue<S>, count: usize) -> anyhow::Result<()> {
    let answers = queue.publish_all(vec![Outgoing::new("x".repeat(300)); count]).await;
    Ok(answers.into_iter().collect::<Result<Vec<_>, _>>().map(drop)?)
}

/// Receives ten messages and deletes them, and says how long the receive took. Among several consumers one may find
/// that the others have all that is there in hand.
pub(crate) async fn consume<S: SqlStore>(queue: &SqlQueue<S>) -> anyhow::Result<Duration> {
    let start = Instant::now();
    let deliveries = queue.receive(ReceiveOptions::new(BATCH).with_wait(Duration::ZERO)).await?;
    let took = start.elapsed();
    if deliveries.is_empty() {
        return Ok(took);
    }
    let settler = Arc::clone(deliveries[0].settler());
    let receipts = deliveries.iter().map(|delivery| delivery.receipt().clone()).collect();
    settler.delete(receipts).await.into_iter().collect::<Result<Vec<_>, _>>()?;
    deliveries.into_iter().for_each(Delivery::forget);
    Ok(took)
}
