//! B3: the renewal calls for each message in flight and each of its intervals.

use std::time::Duration;

use benches::{Bar, Finding, Slow, fill, paused, per, until};
use queue_core::{Calls, Context, MemoryQueue, Message, Metered, WorkerClass};
use tokio::time::sleep;
use worker::Receiver;

const IN_FLIGHT: usize = 500;
const VISIBILITY: Duration = Duration::from_secs(30);
/// How long a handler runs.
const HANDLING: Duration = VISIBILITY.saturating_mul(3);

/// A finding for messages that start together, and one for messages that start one after the other.
pub(crate) fn findings() -> Vec<Finding> {
    [("begun together", Duration::ZERO), ("begun evenly", HANDLING / 500)]
        .into_iter()
        .map(|(name, apart)| {
            let calls = paused(renewals(apart));
            let each = per(calls.changed, calls.deleted);
            let what = format!(
                "renewal calls a message and interval, {IN_FLIGHT} in flight, {name} ({each:.1} intervals each)"
            );
            Finding::new("B3", what, per(calls.change_visibility, calls.changed), Bar::AtMost(0.11))
        })
        .collect()
}

/// Lets 2,000 messages run in 500 slots, published so far `apart` that all slots are busy. Every change of
/// visibility is a renewal: nothing fails and nothing is given back.
async fn renewals(apart: Duration) -> Calls {
    let metered = Metered::new(Slow::new(MemoryQueue::new(), |_| Duration::from_millis(10)));
    let meter = metered.meter();
    let running = Receiver::builder(metered.clone())
        .pollers(WorkerClass::MAIN, 1)
        .slots(IN_FLIGHT)
        .handler(async |_message: Message, _context: Context| sleep(HANDLING).await)
        .start();
    for _ in 0..4 * IN_FLIGHT {
        fill(metered.queue(), 1, 10).await;
        sleep(apart).await;
    }
    until(Duration::from_secs(1), || meter.calls().deleted == 4 * IN_FLIGHT as u64).await;
    running.stop(Duration::from_secs(1)).await;
    meter.calls()
}
