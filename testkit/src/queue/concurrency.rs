//! Concurrency: many publishers and consumers at a time.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use queue_core::{Delivery, Outgoing, PublisherExt, Queue, ReceiveOptions};
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::QueueClause;
use super::QueuePromise::{ReceiveCounts, SingleDelivery};
use super::case::Case;
use super::subject::{Subject, bodies, numbered};
use crate::clause::Clause;
use crate::pace::Pace;

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(no_two_consumers_hold_the_same_message).when(SingleDelivery),
        Clause::of(publishers_and_consumers_at_once_lose_nothing),
        Clause::of(what_consumers_give_back_is_handled_in_the_end),
        Clause::of(deliveries_at_once_are_counted_one_by_one).when(ReceiveCounts).when(SingleDelivery),
    ]
}

const CONSUMERS: usize = 4;
const MESSAGES: usize = 100;

/// Receives until nothing has come for a while, and holds all of it: `MESSAGES` at most.
async fn hold_all(queue: Arc<dyn Queue>, batch: usize) -> Vec<Delivery> {
    let mut held = Vec::new();
    loop {
        let options = ReceiveOptions::new(batch).with_wait(Pace::WAIT).with_visibility(Pace::HOLD);
        let got = queue.receive(options).await.expect("a receive is answered");
        if got.is_empty() {
            return held;
        }
        held.extend(got);
        assert!(held.len() <= MESSAGES, "more messages come than there are");
    }
}

/// Q3: what one holds no other gets; together they hold all.
async fn no_two_consumers_hold_the_same_message(case: Case) {
    let queue = case.queue().await;
    queue.send_all(&numbered(MESSAGES)).await;
    let consumers = (0..CONSUMERS).map(|_| hold_all(Arc::clone(queue.queue()), queue.batch()));
    let held: Vec<_> = consumers.collect::<JoinSet<_>>().join_all().await.into_iter().flatten().collect();
    assert_eq!(bodies(&held), numbered(MESSAGES));
}

/// How often each body was handled.
type Handled = Arc<Mutex<BTreeMap<String, u32>>>;

/// Publishes bodies one by one.
async fn publish(queue: Arc<dyn Queue>, bodies: Vec<String>) {
    for body in bodies {
        queue.publish_one(Outgoing::new(body)).await.expect("a sound message is taken");
    }
}

/// Handles messages until `last`, or until all are handled: gives each back `failures` times, then deletes it.
async fn consume(queue: Arc<dyn Queue>, handled: Handled, failures: u32, last: Instant) {
    let batch = queue.receive_limits().batch.min(10);
    while Instant::now() < last && !all_handled(&handled, failures).await {
        let options = ReceiveOptions::new(batch).with_wait(Pace::WAIT).with_visibility(Pace::HOLD);
        for delivery in queue.receive(options).await.expect("a receive is answered") {
            let times = count(&handled, delivery.message().body()).await;
            let settled =
                if times <= failures { delivery.release(Duration::ZERO).await } else { delivery.ack().await };
            settled.expect("what is held can be settled");
        }
        sleep(Duration::from_millis(1)).await;
    }
}

async fn count(handled: &Handled, body: &str) -> u32 {
    let mut handled = handled.lock().await;
    let times = handled.entry(body.to_owned()).or_default();
    *times += 1;
    *times
}

async fn all_handled(handled: &Handled, failures: u32) -> bool {
    let handled = handled.lock().await;
    handled.len() == MESSAGES && handled.values().all(|times| *times > failures)
}

/// Publishers and consumers at work; answers how often each body came.
async fn at_work(queue: &Subject, failures: u32) -> Vec<(String, u32)> {
    let (handled, last) = (Handled::default(), Instant::now() + queue.pace.patience() * 2);
    let mut tasks = JoinSet::new();
    for bodies in numbered(MESSAGES).chunks(MESSAGES / 4) {
        tasks.spawn(publish(Arc::clone(queue.queue()), bodies.to_vec()));
    }
    for _ in 0..CONSUMERS {
        tasks.spawn(consume(Arc::clone(queue.queue()), Arc::clone(&handled), failures, last));
    }
    tasks.join_all().await;
    let handled = handled.lock().await;
    handled.clone().into_iter().collect()
}

/// Q3: each message is handled, and none comes again at once.
async fn publishers_and_consumers_at_once_lose_nothing(case: Case) {
    let queue = case.queue().await;
    let got: Vec<_> = at_work(&queue, 0).await.into_iter().map(|(body, _)| body).collect();
    assert_eq!(got, numbered(MESSAGES));
    queue.is_quiet().await;
}

/// Q3: what is given back comes again, until it is deleted.
async fn what_consumers_give_back_is_handled_in_the_end(case: Case) {
    let queue = case.queue().await;
    let handled = at_work(&queue, 2).await;
    let unfinished: Vec<_> = handled.iter().filter(|(_, times)| *times <= 2).collect();
    assert_eq!(handled.len(), MESSAGES, "these came: {handled:?}");
    assert!(unfinished.is_empty(), "these did not come again: {unfinished:?}");
    queue.is_quiet().await;
}

/// Q7: counts are exact when consumers receive at once.
async fn deliveries_at_once_are_counted_one_by_one(case: Case) {
    let queue = case.queue().await;
    queue.send_all(&numbered(MESSAGES)).await;
    for count in 1..=2 {
        let consumers = (0..CONSUMERS).map(|_| hold_all(Arc::clone(queue.queue()), queue.batch()));
        for delivery in consumers.collect::<JoinSet<_>>().join_all().await.into_iter().flatten() {
            assert_eq!(delivery.message().receive_count(), count);
            delivery.release(Duration::ZERO).await.expect("what is held can be released");
        }
    }
}
