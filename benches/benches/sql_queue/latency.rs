//! The latency of receives at a steady rate.

use std::time::Duration;

use queue_sql::{SqlQueue, SqlStore};
use tokio::time::{MissedTickBehavior, interval};

use crate::cycle::{BATCH, consume, publish};

/// Fifty receives of ten a second are 500 messages a second.
const PERIOD: Duration = Duration::from_millis(20);
const RECEIVES: usize = 600;

/// The time that 99 of 100 receives stay below, at 500 messages a second.
pub(crate) async fn p99<S: SqlStore>(queue: &SqlQueue<S>) -> anyhow::Result<Duration> {
    let mut beat = interval(PERIOD);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut times = Vec::with_capacity(RECEIVES);
    for _ in 0..RECEIVES {
        beat.tick().await;
        publish(queue, BATCH).await?;
        times.push(consume(queue).await?);
    }
    times.sort_unstable();
    Ok(times[RECEIVES * 99 / 100])
}
