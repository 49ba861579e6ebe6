//! B1: the calls for each consumed message while there is a backlog; 32 slots, 1 KiB a message.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use benches::{Bar, Finding, Latency, Slow, fill, paused, per, until};
use queue_core::{Calls, Context, MemoryQueue, Message, Meter, Metered, WorkerClass};
use tokio::time::sleep;
use worker::{Receiver, handler};

/// Messages that are handled before counting starts.
const WARM_UP: usize = 1_000;
/// Messages that are counted.
const COUNTED: usize = 20_000;
/// Messages that are left when counting ends, so that it doesn't see the end of the backlog.
const LEFT: usize = 1_000;

/// A way to consume.
struct Way {
    name: &'static str,
    pollers: usize,
    latency: Latency,
    handling: Handling,
}

/// How long a handler runs, by how many ran before.
type Handling = fn(u64) -> Duration;

/// What the handlers share.
struct Load {
    handling: Handling,
    handled: AtomicU64,
}

const WAYS: [Way; 3] = [
    Way {
        name: "1 poller, 10 ms a call",
        pollers: 1,
        latency: |_| Duration::from_millis(10),
        handling: |_| Duration::ZERO,
    },
    Way {
        name: "1 poller, uneven calls and handlers",
        pollers: 1,
        latency: uneven_latency,
        handling: uneven_handling,
    },
    Way {
        name: "10 pollers, uneven calls and handlers",
        pollers: 10,
        latency: uneven_latency,
        handling: uneven_handling,
    },
];

/// A finding for each way.
pub(crate) fn findings() -> Vec<Finding> {
    WAYS.iter()
        .map(|way| {
            let what = format!("receive + delete calls a message, {}", way.name);
            Finding::new("B1", what, paused(calls_a_message(way)), Bar::AtMost(0.22))
        })
        .collect()
}

/// Receives for each message received, and deletes for each message deleted: what is in flight when counting starts
/// or ends doesn't matter then.
async fn calls_a_message(way: &Way) -> f64 {
    let queue = MemoryQueue::new();
    fill(&queue, WARM_UP + COUNTED + LEFT, 1_024).await;
    let metered = Metered::new(Slow::new(queue, way.latency));
    let meter = metered.meter();
    let running = Receiver::builder(metered)
        .pollers(WorkerClass::MAIN, way.pollers)
        .slots(32)
        .handler(handler(handle).with(Arc::new(Load { handling: way.handling, handled: AtomicU64::new(0) })))
        .start();
    let before = once_deleted(&meter, WARM_UP).await;
    let counted = once_deleted(&meter, WARM_UP + COUNTED).await - before;
    running.stop(Duration::from_secs(1)).await;
    per(counted.receive, counted.received) + per(counted.delete, counted.deleted)
}

async fn once_deleted(meter: &Meter, messages: usize) -> Calls {
    until(Duration::from_millis(1), || meter.calls().deleted >= messages as u64).await;
    meter.calls()
}

async fn handle(load: Arc<Load>, _message: Message, _context: Context) {
    let takes = (load.handling)(load.handled.fetch_add(1, Ordering::Relaxed));
    if !takes.is_zero() {
        sleep(takes).await;
    }
}

/// 5 to 15 ms, in no order.
fn uneven_latency(call: u64) -> Duration {
    Duration::from_millis(5 + call * 7_919 % 11)
}

/// 0 to 40 ms, in no order.
fn uneven_handling(message: u64) -> Duration {
    Duration::from_millis(message * 7_919 % 41)
}
