//! B3: the renewal calls for each message in flight and each of its intervals.

use std::time::Duration;

use benches::{Bar, Finding, fill, per, until};
use queue_core::{Context, Message, Metered, WorkerClass};
use queue_sqs::SqsQueueSettings;
use tokio::time::sleep;
use worker::Receiver;

use crate::site;

const IN_FLIGHT: usize = 500;
/// Short, as this is lived.
const VISIBILITY: Duration = Duration::from_secs(6);
/// How long a handler runs.
const HANDLING: Duration = VISIBILITY.saturating_mul(3);

/// Lets 1,000 messages run in 500 slots. Every change of visibility is a renewal: nothing fails and nothing is given
/// back.
pub(crate) async fn finding() -> Finding {
    let server = site::server().await;
    let queue = site::queue(&server, SqsQueueSettings::new().with_visibility(VISIBILITY)).await;
    fill(&queue, 2 * IN_FLIGHT, 10).await;
    let metered = Metered::new(queue);
    let meter = metered.meter();
    let running = Receiver::builder(metered)
        .pollers(WorkerClass::MAIN, 1)
        .slots(IN_FLIGHT)
        .handler(async |_message: Message, _context: Context| sleep(HANDLING).await)
        .start();
    until(Duration::from_millis(10), || meter.calls().deleted == 2 * IN_FLIGHT as u64).await;
    running.stop(Duration::from_secs(1)).await;
    let calls =
        server.calls().of("ChangeMessageVisibilityBatch") + server.calls().of("ChangeMessageVisibility");
    let changed = meter.calls().changed;
    let each = per(changed, 2 * IN_FLIGHT as u64);
    let what = format!(
        "renewal calls a message and interval, {IN_FLIGHT} in flight, counted by an SQS server ({each:.1} intervals each)"
    );
    Finding::new("B3", what, per(calls, changed), Bar::AtMost(0.11))
}
