//! B24: receives while another session holds a snapshot open.

use std::time::Duration;

use benches::{Bar, Finding};
use queue_sql::{SqlQueue, SqlStore};
use tokio::task::JoinSet;

use crate::cycle::{BATCH, consume, publish};
use crate::latency::p99;
use crate::site::Site;

/// What ten minutes at 500 messages a second leave behind, made as fast as it goes: what counts is how many have gone
/// since the snapshot was taken, not how long ago that was.
const MESSAGES: usize = 300_000;
const WORKERS: usize = 8;

/// Measures the latency before and after so many messages went by under an open snapshot.
pub(crate) async fn measure<S: SqlStore>(site: &Site<S>) -> anyhow::Result<Finding> {
    let place = site.queue().await?;
    p99(&place.queue).await?;
    let before = p99(&place.queue).await?;
    let snapshot = site.hold_snapshot(&place).await?;
    eprintln!("{}: {MESSAGES} messages go by under an open snapshot", site.name);
    churn(&place.queue).await?;
    let after = p99(&place.queue).await?;
    drop(snapshot);
    place.drop_tables().await?;
    let [from, to] = [before, after].map(millis);
    let what = format!(
        "{}: receive p99 under a snapshot, as after 10 minutes ({from:.2} ms to {to:.2} ms)",
        site.name
    );
    Ok(Finding::new("B24", what, to / from, Bar::AtMost(3.0)))
}

async fn churn<S: SqlStore>(queue: &SqlQueue<S>) -> anyhow::Result<()> {
    let mut workers = JoinSet::new();
    for _ in 0..WORKERS {
        let queue = queue.clone();
        workers.spawn(async move {
            for _ in 0..MESSAGES / WORKERS / BATCH {
                publish(&queue, BATCH).await?;
                consume(&queue).await?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(ended) = workers.join_next().await {
        ended??;
    }
    Ok(())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
