//! B9: round trips of a standard queue.

use std::time::Duration;

use benches::{Bar, Finding};
use queue_core::{Consumer, Outgoing, PublisherExt, ReceiveOptions};
use queue_sql::{SqlQueue, SqlStore};

use crate::counted;
use crate::site::Counter;

/// How often each call is made before it is counted.
const WARM_UP: usize = 5;
/// How many messages are received, and deleted, by one call.
const BATCH: usize = 10;

/// Counts a receive of ten and a delete of ten.
pub(crate) async fn count<S: SqlStore>(
    database: &str,
    queue: &SqlQueue<S>,
    counter: &impl Counter,
) -> anyhow::Result<Vec<Finding>> {
    let messages = vec![Outgoing::new("x".repeat(300)); (WARM_UP + 1) * BATCH];
    for answer in queue.publish_all(messages).await {
        answer?;
    }
    // The first receive also sweeps, in the background.
    drop(queue.receive(options(0)).await?);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let mut trips = [0; 2];
    for _ in 0..WARM_UP {
        let (deliveries, receive) = counted(counter, queue.receive(options(BATCH))).await;
        let deliveries = deliveries?;
        anyhow::ensure!(deliveries.len() == BATCH, "a receive brought {} of {BATCH}", deliveries.len());
        let settler = std::sync::Arc::clone(deliveries[0].settler());
        let receipts = deliveries.iter().map(|delivery| delivery.receipt().clone()).collect();
        let (deleted, delete) = counted(counter, settler.delete(receipts)).await;
        deleted.into_iter().collect::<Result<Vec<_>, _>>()?;
        deliveries.into_iter().for_each(queue_core::Delivery::forget);
        trips = [receive, delete];
    }
    let receive = if database == "MariaDB" { Bar::AtMost(4.0) } else { Bar::Exactly(1.0) };
    let found = |what: &str, trips: u64, bar| {
        let figure = u32::try_from(trips).map_or(f64::NAN, f64::from);
        Finding::new("B9", format!("{database}: round trips of {what}"), figure, bar)
    };
    Ok(vec![
        found("a receive of 10", trips[0], receive),
        found("a delete of 10", trips[1], Bar::Exactly(1.0)),
    ])
}

fn options(max: usize) -> ReceiveOptions {
    ReceiveOptions::new(max.max(1)).with_wait(Duration::ZERO)
}
