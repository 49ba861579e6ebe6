//! B23: the time of a message, received and deleted, against the backlog behind it.

use benches::{Bar, Finding, Rounds};
use queue_sql::{SqlQueue, SqlStore};
use tokio::time::Instant;

use crate::cycle::{BATCH, consume, publish};
use crate::site::Site;

const ROUNDS: usize = 7;
/// How many batches a round takes.
const BATCHES: usize = 50;
const FEW: usize = 1_000;
const MANY: u64 = 1_000_000;

/// Measures it in turn on two queues in tables of their own.
pub(crate) async fn measure<S: SqlStore>(site: &Site<S>) -> anyhow::Result<Finding> {
    eprintln!("{}: filling a queue with {MANY} messages", site.name);
    let (few, many) = (site.queue().await?, site.queue().await?);
    publish(&few.queue, FEW).await?;
    many.fill(MANY).await?;
    time(&few.queue).await?;
    time(&many.queue).await?;
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        publish(&few.queue, BATCHES * BATCH).await?;
        let short = time(&few.queue).await?;
        ratios.push(time(&many.queue).await? / short);
    }
    for queue in [few, many] {
        queue.drop_tables().await?;
    }
    let rounds = Rounds::new(ratios);
    let what =
        format!("{}: a message's time with 1,000,000 waiting against 1,000 ({})", site.name, rounds.spread());
    Ok(Finding::new("B23", what, rounds.median(), Bar::AtMost(1.3)))
}

async fn time<S: SqlStore>(queue: &SqlQueue<S>) -> anyhow::Result<f64> {
    let start = Instant::now();
    for _ in 0..BATCHES {
        consume(queue).await?;
    }
    Ok(start.elapsed().as_secs_f64())
}
