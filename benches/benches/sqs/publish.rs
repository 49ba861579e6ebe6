//! B2: the calls for each message that many tasks publish singly.

use benches::{Bar, Finding, per};
use futures::future::join_all;
use queue_core::{Coalesced, Outgoing, Publisher, PublisherExt};
use queue_sqs::SqsQueueSettings;

use crate::site;

const TASKS: u64 = 64;
/// Messages that each task publishes, one after the other.
const EACH: u64 = 200;

/// One for a queue, one for a topic.
pub(crate) async fn findings() -> [Finding; 2] {
    let server = site::server().await;
    publish_all(site::queue(&server, SqsQueueSettings::new()).await).await;
    let queue = server.calls();
    server.reset_calls();
    publish_all(site::topic(&server).await).await;
    let topic = server.calls();
    [
        finding("an SQS", queue.of("SendMessage") + queue.of("SendMessageBatch")),
        finding("an SNS", topic.of("Publish") + topic.of("PublishBatch")),
    ]
}

fn finding(server: &str, calls: u64) -> Finding {
    let what = format!("publish calls a message, {TASKS} tasks singly, counted by {server} server");
    Finding::new("B2", what, per(calls, TASKS * EACH), Bar::AtMost(0.12))
}

async fn publish_all(publisher: impl Publisher + 'static) {
    let publisher = Coalesced::new(publisher);
    join_all((0..TASKS).map(|_| publish(publisher.clone()))).await;
}

async fn publish(publisher: impl PublisherExt) {
    for number in 0..EACH {
        publisher.publish_one(Outgoing::new(number.to_string())).await.expect("a message is published");
    }
}
