//! B2: the calls for each message that many tasks publish singly.

use std::time::Duration;

use benches::{Bar, Finding, Latency, Slow, paused, per};
use futures::future::join_all;
use queue_core::{Coalesced, MemoryQueue, Metered, Outgoing, PublisherExt};

const TASKS: usize = 64;
/// Messages that each task publishes, one after the other.
const EACH: usize = 200;

const LATENCIES: [(&str, Latency); 4] = [
    ("1 ms", |_| Duration::from_millis(1)),
    ("10 ms", |_| Duration::from_millis(10)),
    ("5 to 15 ms", |call| Duration::from_millis(5 + call * 7_919 % 11)),
    ("100 ms", |_| Duration::from_millis(100)),
];

/// A finding for each latency.
pub(crate) fn findings() -> Vec<Finding> {
    LATENCIES
        .iter()
        .map(|(name, latency)| {
            let what = format!("publish calls a message, {TASKS} tasks singly, {name} a call");
            Finding::new("B2", what, paused(calls_a_message(*latency)), Bar::AtMost(0.12))
        })
        .collect()
}

async fn calls_a_message(latency: Latency) -> f64 {
    let metered = Metered::new(Slow::new(MemoryQueue::new(), latency));
    let meter = metered.meter();
    let queue = Coalesced::new(metered);
    join_all((0..TASKS).map(|_| publish(queue.clone()))).await;
    let calls = meter.calls();
    per(calls.publish, calls.published)
}

async fn publish<Q: PublisherExt>(queue: Q) {
    for number in 0..EACH {
        let _answer = queue.publish_one(Outgoing::new(number.to_string())).await;
    }
}
