//! Drops: a delivery or a receive that is simply dropped loses nothing.

use std::collections::BTreeSet;
use std::time::Duration;

use futures::future::join;
use queue_core::{Outgoing, ReceiveOptions};
use tokio::time::{Instant, sleep, timeout};

use super::QueueClause;
use super::QueuePromise::DroppedReceives;
use super::case::Case;
use super::subject::{Subject, numbered};
use crate::clause::Clause;
use crate::pace::{Pace, Window};

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(a_dropped_delivery_comes_back_at_its_timeout_and_not_before),
        Clause::of(a_receive_dropped_while_it_waits_takes_no_message).when(DroppedReceives),
        Clause::of(a_receive_dropped_at_any_moment_loses_nothing),
    ]
}

/// Q12: dropping gives nothing back and hides nothing.
async fn a_dropped_delivery_comes_back_at_its_timeout_and_not_before(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let held = queue.lease_one().await;
    drop(held.delivery);
    queue.comes_in(held.back).await.forget();
}

/// Q3: a receive that has gone takes nothing that arrives later.
async fn a_receive_dropped_while_it_waits_takes_no_message(case: Case) {
    let queue = case.queue().await;
    let answer = timeout(Pace::WAIT, queue.receive(queue.long_wait())).await;
    assert!(answer.is_err(), "there was nothing to receive");
    queue.send(Outgoing::new("a")).await;
    queue.comes_in(Window::now()).await.forget();
}

/// Q3: dropped around the moment when a message arrives, it may hide that message, for its timeout and no longer.
async fn a_receive_dropped_at_any_moment_loses_nothing(case: Case) {
    let queue = case.queue().await;
    let sent = numbered(20);
    for (body, moment) in sent.iter().zip(0..) {
        drop_while_it_arrives(&queue, body, Duration::from_millis(moment)).await;
    }
    let mut left: BTreeSet<_> = sent.into_iter().collect();
    let last = Instant::now() + case.pace.lease() + case.pace.patience();
    while !left.is_empty() {
        assert!(Instant::now() < last, "these are lost: {left:?}");
        for delivery in queue.receive(ReceiveOptions::new(queue.batch()).with_wait(Pace::WAIT)).await {
            left.remove(delivery.message().body());
            delivery.ack().await.expect("what is held can be deleted");
        }
        sleep(case.pace.tick()).await;
    }
    queue.is_quiet().await;
}

/// Publishes a message 10 ms from now, to a receive that is dropped at `moment`; so is what it brings before.
async fn drop_while_it_arrives(queue: &Subject, body: &str, moment: Duration) {
    let options = ReceiveOptions::new(1).with_wait(Pace::WAIT).with_visibility(queue.pace.lease());
    let arrive = async {
        sleep(Duration::from_millis(10)).await;
        queue.send(Outgoing::new(body)).await
    };
    let (_dropped, _id) = join(timeout(moment, queue.receive(options)), arrive).await;
}
