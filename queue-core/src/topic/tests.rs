//! The guarantees at the topic's face, on a paused clock.

mod cancel;
mod deadline;
mod entries;
mod fan_out;
mod limits;
mod message_id;
mod ordered;
mod subscriber;
mod subscriptions;
mod whole;

use std::time::Duration;

use tokio::time::Instant;

use super::{MemoryTopic, Subscription};
use crate::{MessageId, Outgoing, PublisherExt, QueueErrorKind, Rejected};
use subscriber::{Act, Subscriber};

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A topic with these raw subscribers, named `s0`, `s1` and so on.
fn topic(subscribers: &[&Subscriber]) -> MemoryTopic {
    let topic = MemoryTopic::new("entity");
    for (number, subscriber) in subscribers.iter().enumerate() {
        topic.subscribe(Subscription::raw(format!("s{number}"), (*subscriber).clone())).unwrap();
    }
    topic
}

/// Messages with the bodies `m0`, `m1` and so on.
fn messages(count: usize) -> Vec<Outgoing> {
    (0..count).map(|number| Outgoing::new(format!("m{number}"))).collect()
}

async fn publish(topic: &MemoryTopic, body: &str) -> Result<MessageId, Rejected> {
    topic.publish_one(Outgoing::new(body)).await
}

fn kind<T>(answer: &Result<T, Rejected>) -> Option<QueueErrorKind> {
    answer.as_ref().err().map(Rejected::kind)
}

/// How long a future takes by the paused clock, and its answer.
async fn timed<F: Future>(future: F) -> (Duration, F::Output) {
    let start = Instant::now();
    let answer = future.await;
    (start.elapsed(), answer)
}
