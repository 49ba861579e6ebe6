//! Queues to redrive between.

use std::time::Duration;

use queue_core::{Consumer, Delivery, MemoryQueue, Outgoing, PublisherExt, QueueError, ReceiveOptions};
use testkit::{CallKind, Fault, Faulty};

use crate::redrive::copy::Redrive;

/// A queue whose own visibility timeout is of no use to a redrive.
pub(super) fn queue(ordered: bool) -> MemoryQueue {
    let builder = MemoryQueue::builder().visibility(Duration::from_secs(1));
    if ordered { builder.ordered() } else { builder }.build().unwrap()
}

/// A script of faults in front of `queue`.
pub(super) fn faulty(
    queue: &MemoryQueue,
    script: impl FnMut(CallKind, usize) -> Fault + Send + 'static,
) -> Faulty<MemoryQueue> {
    Faulty::new(queue.clone(), script)
}

/// Message `number` of `group`, with all that a message can have.
pub(super) fn message(group: usize, number: usize, ordered: bool) -> Outgoing {
    let message = Outgoing::new(format!("{group}/{number}"))
        .with_group_key(format!("g{group}"))
        .with_attribute("type", "visit")
        .with_attribute("bytes", queue_core::AttributeValue::binary([0, 255]).with_label("png"));
    if ordered { message.with_deduplication_id(format!("{group}-{number}")) } else { message }
}

/// Puts `each` messages of each of `groups` into the queue, in turn.
pub(super) async fn fill(queue: &MemoryQueue, groups: usize, each: usize, ordered: bool) {
    let numbers = (0..each).flat_map(|number| (0..groups).map(move |group| (group, number)));
    let messages = numbers.map(|(group, number)| message(group, number, ordered)).collect();
    for answer in queue.publish_all(messages).await {
        answer.unwrap();
    }
}

pub(super) async fn redrive(
    source: &dyn Consumer,
    target: &dyn queue_core::Publisher,
    most: u64,
) -> Result<u64, QueueError> {
    Redrive::new(source, target).run(most).await
}

/// Takes all that is visible or will be in the next minutes.
pub(super) async fn drain(queue: &MemoryQueue) -> Vec<Delivery> {
    let mut all = Vec::new();
    for _ in 0..20 {
        let options = ReceiveOptions::new(10).with_visibility(Duration::from_hours(1));
        for delivery in queue.receive(options).await.unwrap() {
            let settler = std::sync::Arc::clone(delivery.settler());
            assert_eq!(settler.delete(vec![delivery.receipt().clone()]).await.len(), 1);
            all.push(delivery);
        }
    }
    all
}

pub(super) fn bodies(deliveries: &[Delivery]) -> Vec<String> {
    deliveries.iter().map(|delivery| delivery.message().body().to_owned()).collect()
}

/// The numbers of a group's messages, in the order in which they came.
pub(super) fn order(deliveries: &[Delivery], group: usize) -> Vec<usize> {
    let prefix = format!("{group}/");
    let of_group = bodies(deliveries).into_iter().filter_map(|body| body.strip_prefix(&prefix)?.parse().ok());
    of_group.collect()
}
