//! Callers that are dropped at each point of their call.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use tokio::time::{Instant, sleep, timeout};

use super::backend::{Backend, Operation, all_well, id_of};
use crate::{
    Coalesced, Consumer, Delivery, Outgoing, Publisher, PublisherExt, QueueError, ReceiveOptions, Settler,
};

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Gives one of three publishes up after `patience`; the others get their answers. Answers what was sent.
///
/// The first is in flight from 0 to 10 ms; the second and third wait for company from 1 to 6 ms, and are in flight
/// until 16 ms.
async fn give_one_up(which: usize, patience: Duration) -> Vec<Vec<String>> {
    let queue = Coalesced::new(Backend::new().with_latency(|_| ms(10)));
    let publish = |number: usize| {
        let queue = &queue;
        async move {
            sleep(ms(u64::from(number > 0))).await;
            let limit = if number == which { patience } else { ms(1_000) };
            let body = format!("m{number}");
            let answer = timeout(limit, queue.publish_one(Outgoing::new(body.clone()))).await;
            assert!(answer.map_or(number == which, |answer| answer.unwrap() == id_of(&body)));
        }
    };
    join_all((0..3).map(publish)).await;
    queue.flush().await;
    queue.queue().calls().into_iter().map(|call| call.entries).collect()
}

#[tokio::test(start_paused = true)]
async fn a_publish_that_is_dropped_before_it_was_sent_is_not_sent() {
    for patience in [ms(0), ms(1), ms(4)] {
        assert_eq!(give_one_up(1, patience).await, [vec!["m0"], vec!["m2"]]);
        assert_eq!(give_one_up(2, patience).await, [vec!["m0"], vec!["m1"]]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_publish_that_is_dropped_in_flight_leaves_the_others_their_answers() {
    for patience in [ms(6), ms(9), ms(14)] {
        assert_eq!(give_one_up(1, patience).await, [vec!["m0"], vec!["m1", "m2"]]);
        assert_eq!(give_one_up(2, patience).await, [vec!["m0"], vec!["m1", "m2"]]);
    }
    assert_eq!(give_one_up(0, ms(5)).await, [vec!["m0"], vec!["m1", "m2"]]);
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_is_dropped_half_sent_takes_the_other_half_back() {
    let queue = Coalesced::new(Backend::new().with_latency(|_| ms(100)));
    let batch = (0..25).map(|number| Outgoing::new(format!("m{number}"))).collect();
    assert!(timeout(ms(3), queue.publish(batch)).await.is_err());
    queue.flush().await;
    assert_eq!(queue.queue().sizes(Operation::Publish), [10, 10]);
}

async fn receive(queue: &Coalesced<Backend>, count: usize) -> Vec<Delivery> {
    queue.receive(ReceiveOptions::new(count)).await.unwrap()
}

// Q12
#[tokio::test(start_paused = true)]
async fn an_ack_that_is_dropped_goes_out_all_the_same() {
    for patience in [ms(0), ms(20), ms(55)] {
        let queue = Coalesced::new(Backend::new().with_latency(|_| ms(10)));
        let mut deliveries = receive(&queue, 3).await;
        let last = deliveries.pop();
        let (one, other) = (deliveries.pop().unwrap(), deliveries.pop().unwrap());
        let (given_up, acked) = tokio::join!(timeout(patience, one.ack()), other.ack());
        assert!(given_up.is_err() && acked.is_ok());
        assert_eq!(queue.queue().sizes(Operation::Delete), [2]);
        // Nobody knows how its ack ended, so it counts as dropped.
        assert_eq!(queue.queue().abandoned(), 1);
        drop(last);
    }
}

#[tokio::test(start_paused = true)]
async fn the_only_ack_goes_out_though_its_caller_is_dropped_before_the_driver_runs() {
    let queue = Coalesced::new(Backend::new());
    let delivery = receive(&queue, 1).await.remove(0);
    assert!(futures::poll!(Box::pin(delivery.ack())).is_pending());
    sleep(ms(1)).await;
    assert_eq!(queue.queue().sizes(Operation::Delete), [1]);
}

#[tokio::test(start_paused = true)]
async fn a_release_that_is_dropped_before_it_was_sent_is_not_sent() {
    let (queue, begun) = (Coalesced::new(Backend::new()), Instant::now());
    let mut deliveries = receive(&queue, 2).await;
    let given_up = timeout(ms(20), deliveries.remove(0).release(Duration::ZERO)).await;
    assert!(given_up.is_err());
    queue.flush().await;
    assert!(queue.queue().calls().is_empty());
    assert_eq!(begun.elapsed(), ms(20));
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_is_dropped_between_two_attempts_ends_them_unless_it_deletes() {
    let backend = Backend::new().answering(|number, call| match number {
        0 | 1 => vec![Err(QueueError::transient("throttled")); call.entries.len()],
        _ => all_well(call),
    });
    let queue = Coalesced::new(backend);
    let delivery = receive(&queue, 1).await.remove(0);
    assert!(timeout(ms(50), queue.publish_one(Outgoing::new("a"))).await.is_err());
    assert!(timeout(ms(50), delivery.ack()).await.is_err());
    queue.flush().await;
    let operations: Vec<_> = queue.queue().calls().iter().map(|call| call.operation).collect();
    assert_eq!(operations, [Operation::Publish, Operation::Delete, Operation::Delete]);
}

#[tokio::test(start_paused = true)]
async fn a_settler_that_is_kept_beyond_its_delivery_still_settles() {
    let queue = Coalesced::new(Backend::new());
    let delivery = receive(&queue, 1).await.remove(0);
    let (settler, receipt) = (Arc::clone(delivery.settler()), delivery.receipt().clone());
    delivery.forget();
    drop(queue.clone());
    assert!(Settler::delete(&*settler, vec![receipt]).await[0].is_ok());
    assert_eq!(queue.queue().sizes(Operation::Delete), [1]);
}
