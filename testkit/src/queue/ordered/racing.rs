//! Racing: many senders and consumers of the same groups at a time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use queue_core::{Delivery, Outgoing, PublisherExt, Queue, ReceiveOptions};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::moves::{all_done, words};
use crate::clause::Clause;
use crate::pace::Pace;
use crate::queue::QueueClause;
use crate::queue::case::Case;
use crate::queue::subject::Subject;

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(two_senders_to_one_group_have_one_order),
        Clause::of(many_consumers_keep_the_order_of_each_group),
    ]
}

/// Of one sender to one group.
const MESSAGES: usize = 25;
const GROUPS: usize = 6;
const CONSUMERS: usize = 8;

/// Publishes `MESSAGES` messages to a group, one after the other.
async fn send(queue: Arc<dyn Queue>, group: String, sender: &'static str) {
    for number in 0..MESSAGES {
        let body = format!("{sender} {number:04}");
        let id = format!("{group}-{sender}-{number}");
        let message = Outgoing::new(body).with_group_key(group.as_str()).with_deduplication_id(id);
        queue.publish_one(message).await.expect("a sound message is taken");
    }
}

/// Q8: what a consumer has seen in an order comes in that order again, and each sender's own order is kept.
async fn two_senders_to_one_group_have_one_order(case: Case) {
    let queue = case.ordered_queue().await;
    let mut senders = JoinSet::new();
    for sender in ["one", "two"] {
        senders.spawn(send(Arc::clone(queue.queue()), "g".to_owned(), sender));
    }
    let order = seen_twice(&queue, MESSAGES * 2).await;
    senders.join_all().await;
    for sender in ["one", "two"] {
        let own: Vec<_> = order.iter().filter(|body| body.starts_with(sender)).collect();
        assert!(own.is_sorted() && own.len() == MESSAGES, "of sender {sender} came: {own:?}");
    }
}

/// Receives each batch twice: gives it back, then deletes it. Answers the bodies in order.
async fn seen_twice(queue: &Subject, count: usize) -> Vec<String> {
    let mut order = Vec::new();
    while order.len() < count {
        let first = queue.take_at_once(queue.batch(), Pace::HOLD).await;
        let seen: Vec<_> = words(&first).into_iter().map(str::to_owned).collect();
        for delivery in first.into_iter().rev() {
            delivery.release(Duration::ZERO).await.expect("what is held can be released");
        }
        let again = queue.take_at_once(seen.len(), Pace::HOLD).await;
        let came = words(&again).into_iter().map(str::to_owned).collect::<Vec<_>>();
        assert!(seen.starts_with(&came), "first came {seen:?}, then {came:?}");
        order.extend(came);
        all_done(again).await;
    }
    order
}

/// What the consumers saw: of each group the number that comes next, and whether somebody has it.
#[derive(Clone, Default)]
struct Witness(Arc<Mutex<BTreeMap<String, (usize, bool)>>>);

impl Witness {
    /// Notes a batch that was received.
    fn received(&self, batch: &[Delivery]) {
        let mut groups = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut ours = Vec::new();
        for delivery in batch {
            let group = delivery.message().group_key().expect("it has a group").to_owned();
            let (next, held) = groups.entry(group.clone()).or_default();
            assert!(!*held || ours.contains(&group), "group {group} went to two consumers at once");
            *held = true;
            ours.push(group);
            assert_eq!(delivery.message().body(), format!("s {next:04}"), "out of order");
            *next += 1;
        }
    }

    /// Notes that a batch is about to be deleted.
    fn deleting(&self, batch: &[Delivery]) {
        let mut groups = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for group in batch.iter().filter_map(|delivery| delivery.message().group_key()) {
            groups.entry(group.to_owned()).or_default().1 = false;
        }
    }

    fn is_complete(&self) -> bool {
        let groups = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        groups.len() == GROUPS && groups.values().all(|(next, _)| *next == MESSAGES)
    }
}

async fn consume(queue: Arc<dyn Queue>, witness: Witness, last: Instant) {
    let batch = queue.receive_limits().batch.min(10);
    while !witness.is_complete() && Instant::now() < last {
        let options = ReceiveOptions::new(batch).with_wait(Pace::WAIT).with_visibility(Pace::HOLD);
        let got = queue.receive(options).await.expect("a receive is answered");
        witness.received(&got);
        sleep(Duration::from_millis(1)).await;
        witness.deleting(&got);
        if !got.is_empty() {
            all_done(got).await;
        }
    }
}

/// Q8: senders of several groups and eight consumers: each group in order, and in one consumer's hands at a time.
async fn many_consumers_keep_the_order_of_each_group(case: Case) {
    let queue = case.ordered_queue().await;
    let (witness, last) = (Witness::default(), Instant::now() + case.pace.patience() * 3);
    let mut tasks = JoinSet::new();
    for group in 0..GROUPS {
        tasks.spawn(send(Arc::clone(queue.queue()), format!("group-{group}"), "s"));
    }
    for _consumer in 0..CONSUMERS {
        tasks.spawn(consume(Arc::clone(queue.queue()), witness.clone(), last));
    }
    tasks.join_all().await;
    assert!(witness.is_complete(), "not all came: {:?}", witness.0);
    queue.is_quiet().await;
}
