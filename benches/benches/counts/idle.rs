//! B4: the receives of an idle hour.

use std::time::Duration;

use benches::{Bar, Finding, paused, per};
use queue_core::{Context, MemoryQueue, Message, Metered, WorkerClass};
use tokio::time::sleep;
use worker::Receiver;

/// A call counts when it begins, and the hour does not include its last instant.
const HOUR: Duration = Duration::from_millis(3_600_000 - 1);

/// The finding for one process; several need a gate across processes.
pub(crate) fn findings() -> Vec<Finding> {
    let what = "receives of an idle hour and class, one process of 10 workers";
    vec![Finding::new("B4", what, per(paused(receives()), 1), Bar::Exactly(180.0))]
}

async fn receives() -> u64 {
    let metered = Metered::new(MemoryQueue::new());
    let meter = metered.meter();
    let running = Receiver::builder(metered)
        .pollers(WorkerClass::MAIN, 10)
        .handler(async |_message: Message, _context: Context| {})
        .start();
    sleep(HOUR).await;
    let receives = meter.calls().receive;
    running.stop(Duration::ZERO).await;
    receives
}
