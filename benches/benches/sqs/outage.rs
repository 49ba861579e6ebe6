//! B5: the calls in any minute to a queue that gives no messages, the SDK's own retries included.

use std::time::Duration;

use benches::{Bar, Finding, per};
use futures::future::join_all;
use queue_core::{Context, Message, WorkerClass};
use queue_sqs::SqsQueueSettings;
use testkit::server::{Fault, FaultScript, Rule, SqsServer};
use tokio::time::{Instant, sleep_until};
use worker::Receiver;

use crate::site;

const MINUTE: usize = 60;
/// How long it is lived, in seconds.
const LIVED: usize = 150;

/// What keeps a queue from answering.
#[derive(Clone, Copy)]
enum Outage {
    Missing,
    Refused,
    Throttled,
    Hung,
}

impl Outage {
    fn name(self) -> &'static str {
        match self {
            Self::Missing => "a missing queue",
            Self::Refused => "refused credentials",
            Self::Throttled => "a throttled queue",
            Self::Hung => "an endpoint that never answers",
        }
    }

    /// Begins it. The queue is deleted as its owner would.
    async fn begin(self, server: &SqsServer, url: &str) {
        let fault = match self {
            Self::Missing => {
                let call = site::client(server).delete_queue().queue_url(url);
                return drop(call.send().await.expect("the queue is deleted"));
            }
            Self::Refused => Fault::error("InvalidClientTokenId"),
            Self::Throttled => Fault::throttled(),
            Self::Hung => Fault::hang(),
        };
        server.faults(FaultScript::new([Rule::new(fault)]));
    }
}

/// One for each outage; they are lived at once.
pub(crate) async fn findings() -> Vec<Finding> {
    join_all([Outage::Missing, Outage::Refused, Outage::Throttled, Outage::Hung].map(finding)).await
}

async fn finding(outage: Outage) -> Finding {
    let server = site::server().await;
    let queue = site::queue(&server, SqsQueueSettings::new()).await;
    outage.begin(&server, queue.url()).await;
    let running = Receiver::builder(queue)
        .pollers(WorkerClass::MAIN, 10)
        .handler(async |_message: Message, _context: Context| {})
        .start();
    let most = busiest_minute(&server).await;
    running.stop(Duration::ZERO).await;
    let what = format!("calls in any minute to {}, 10 workers, counted by an SQS server", outage.name());
    Finding::new("B5", what, per(most, 1), Bar::AtMost(6.0))
}

/// The calls of the busiest minute, which begins at any second.
async fn busiest_minute(server: &SqsServer) -> u64 {
    let start = Instant::now();
    let mut counts = vec![0];
    for second in 1..=LIVED {
        sleep_until(start + Duration::from_secs(second as u64)).await;
        counts.push(server.calls().total());
    }
    counts.windows(MINUTE + 1).map(|minute| minute[MINUTE] - minute[0]).max().unwrap_or(u64::MAX)
}
