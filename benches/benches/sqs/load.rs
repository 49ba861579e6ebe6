//! B1: the calls for each consumed message while there is a backlog; 32 slots, 1 KiB a message.

use std::time::Duration;

use benches::{Bar, Finding, fill, per, until};
use queue_core::{Context, Message, Meter, Metered, WorkerClass};
use queue_sqs::SqsQueueSettings;
use testkit::server::SqsServer;
use worker::Receiver;

use crate::site;

/// Messages that are handled before counting starts.
const WARM_UP: usize = 1_000;
/// Messages that are counted.
const COUNTED: usize = 20_000;
/// Messages that are left when counting ends, so that it doesn't see the end of the backlog.
const LEFT: usize = 1_000;

pub(crate) async fn finding() -> Finding {
    let server = site::server().await;
    let queue = site::queue(&server, SqsQueueSettings::new()).await;
    fill(&queue, WARM_UP + COUNTED + LEFT, 1_024).await;
    let metered = Metered::new(queue);
    let meter = metered.meter();
    let running = Receiver::builder(metered)
        .pollers(WorkerClass::MAIN, 10)
        .slots(32)
        .handler(async |_message: Message, _context: Context| {})
        .start();
    let before = once_deleted(&meter, &server, WARM_UP).await;
    let after = once_deleted(&meter, &server, WARM_UP + COUNTED).await;
    running.stop(Duration::from_secs(1)).await;
    let what = "receive + delete calls a message, counted by an SQS server, 10 pollers";
    Finding::new(
        "B1",
        what,
        per(after.calls - before.calls, after.deleted - before.deleted),
        Bar::AtMost(0.22),
    )
}

/// What was counted at a moment: calls by the server, messages by the queue's meter.
struct Count {
    calls: u64,
    deleted: u64,
}

async fn once_deleted(meter: &Meter, server: &SqsServer, messages: usize) -> Count {
    until(Duration::from_millis(1), || meter.calls().deleted >= messages as u64).await;
    let calls = server.calls();
    let calls = calls.of("ReceiveMessage") + calls.of("DeleteMessageBatch") + calls.of("DeleteMessage");
    Count { calls, deleted: meter.calls().deleted }
}
