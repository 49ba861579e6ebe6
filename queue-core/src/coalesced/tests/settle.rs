//! Acks, releases and extensions of what was received.

use std::time::Duration;

use futures::future::join_all;
use tokio::time::{Instant, sleep};

use super::backend::{Backend, Operation};
use crate::{Coalesced, Consumer, Delivery, Limits, QueueError, QueueErrorKind, Receipt, ReceiveOptions};

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

async fn receive(queue: &Coalesced<Backend>, count: usize) -> Vec<Delivery> {
    queue.receive(ReceiveOptions::new(count)).await.unwrap()
}

fn receipts(deliveries: &[Delivery]) -> Vec<Receipt> {
    deliveries.iter().map(|delivery| delivery.receipt().clone()).collect()
}

fn forget(deliveries: Vec<Delivery>) {
    deliveries.into_iter().for_each(Delivery::forget);
}

#[tokio::test(start_paused = true)]
async fn the_ack_of_the_only_delivery_goes_at_once() {
    let (queue, begun) = (Coalesced::new(Backend::new()), Instant::now());
    for _ in 0..3 {
        for delivery in receive(&queue, 1).await {
            delivery.ack().await.unwrap();
        }
    }
    assert_eq!(begun.elapsed(), Duration::ZERO);
    assert_eq!(queue.queue().sizes(Operation::Delete), [1, 1, 1]);
}

#[tokio::test(start_paused = true)]
async fn acks_of_all_deliveries_go_at_once_in_one_call() {
    let (queue, begun) = (Coalesced::new(Backend::new()), Instant::now());
    let acks = receive(&queue, 7).await.into_iter().map(Delivery::ack);
    assert!(join_all(acks).await.iter().all(Result::is_ok));
    assert_eq!(begun.elapsed(), Duration::ZERO);
    assert_eq!(queue.queue().sizes(Operation::Delete), [7]);
}

#[tokio::test(start_paused = true)]
async fn an_ack_lingers_while_another_delivery_could_follow() {
    let (queue, begun) = (Coalesced::new(Backend::new()), Instant::now());
    let mut deliveries = receive(&queue, 2).await;
    deliveries.remove(0).ack().await.unwrap();
    assert_eq!(begun.elapsed(), ms(50));
}

#[tokio::test(start_paused = true)]
async fn ten_acks_go_at_once_though_others_could_follow() {
    let (queue, begun) = (Coalesced::new(Backend::new()), Instant::now());
    let mut deliveries = receive(&queue, 11).await;
    let acks = deliveries.drain(1..).map(Delivery::ack);
    assert!(join_all(acks).await.iter().all(Result::is_ok));
    assert_eq!((begun.elapsed(), queue.queue().sizes(Operation::Delete)), (Duration::ZERO, vec![10]));
}

// Q12
#[tokio::test(start_paused = true)]
async fn acks_that_wait_go_as_soon_as_the_last_other_delivery_is_dropped() {
    let (queue, begun) = (Coalesced::new(Backend::new()), Instant::now());
    let mut deliveries = receive(&queue, 3).await;
    let (last, dropped) = (deliveries.pop().unwrap(), deliveries.pop().unwrap());
    let acks = join_all(deliveries.into_iter().map(Delivery::ack));
    let drops = async {
        sleep(ms(10)).await;
        drop(dropped);
        sleep(ms(10)).await;
        last.forget();
    };
    tokio::join!(acks, drops);
    assert_eq!(begun.elapsed(), ms(20));
    assert_eq!(queue.queue().abandoned(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_ack_and_a_release_do_not_wait_for_each_other() {
    let (queue, begun) = (Coalesced::new(Backend::new()), Instant::now());
    let mut deliveries = receive(&queue, 2).await;
    let (one, other) = (deliveries.pop().unwrap(), deliveries.pop().unwrap());
    let (acked, released) = tokio::join!(one.ack(), other.release(Duration::ZERO));
    assert!(acked.is_ok() && released.is_ok());
    assert_eq!(begun.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn the_last_ack_or_release_takes_those_along_that_wait() {
    for acks_last in [true, false] {
        let (queue, begun) = (Coalesced::new(Backend::new().with_latency(|_| ms(5))), Instant::now());
        let mut deliveries = receive(&queue, 2).await;
        let (one, other) = (deliveries.pop().unwrap(), deliveries.pop().unwrap());
        let (acks_at, releases_at) = if acks_last { (10, 0) } else { (0, 10) };
        let ack = async {
            sleep(ms(acks_at)).await;
            one.ack().await
        };
        let release = async {
            sleep(ms(releases_at)).await;
            other.release(Duration::ZERO).await
        };
        let (acked, released) = tokio::join!(ack, release);
        assert!(acked.is_ok() && released.is_ok());
        assert_eq!(begun.elapsed(), ms(15));
    }
}

#[tokio::test(start_paused = true)]
async fn with_a_concurrency_acks_go_at_once_when_so_many_wait() {
    let queue = Coalesced::new(Backend::new()).with_concurrency(3);
    let (deliveries, begun) = (receive(&queue, 9).await, Instant::now());
    let mut deliveries = deliveries.into_iter();
    for _ in 0..3 {
        let acks = deliveries.by_ref().take(3).map(Delivery::ack);
        assert!(join_all(acks).await.iter().all(Result::is_ok));
    }
    assert_eq!((begun.elapsed(), queue.queue().sizes(Operation::Delete)), (Duration::ZERO, vec![3, 3, 3]));
}

#[tokio::test(start_paused = true)]
async fn extensions_of_many_tasks_go_together_and_leave_the_deliveries_outstanding() {
    let (queue, begun) = (Coalesced::new(Backend::new()), Instant::now());
    let mut deliveries = receive(&queue, 4).await;
    let extend = |delivery| Delivery::extend(delivery, Duration::from_secs(30));
    assert!(join_all(deliveries.iter_mut().take(3).map(extend)).await.iter().all(Result::is_ok));
    assert_eq!((begun.elapsed(), queue.queue().sizes(Operation::Change)), (ms(50), vec![3]));
}

// B3
#[tokio::test(start_paused = true)]
async fn a_batch_of_changes_goes_at_once_and_does_not_hurry_the_acks() {
    let (queue, begun) = (Coalesced::new(Backend::new().with_latency(|_| ms(20))), Instant::now());
    let deliveries = receive(&queue, 24).await;
    let batch = receipts(&deliveries).into_iter().map(|receipt| (receipt, Duration::from_secs(30))).collect();
    let acked = receive(&queue, 1).await.remove(0);
    let renewal = async {
        assert_eq!(deliveries[0].settler().change_visibility(batch).await.len(), 24);
        begun.elapsed()
    };
    let (renewed, acked) = tokio::join!(renewal, acked.ack());
    assert!(acked.is_ok());
    assert_eq!(queue.queue().sizes(Operation::Change), [10, 10, 4]);
    assert_eq!((renewed, begun.elapsed()), (ms(20), ms(70)));
    forget(deliveries);
}

#[tokio::test(start_paused = true)]
async fn a_batch_of_deletes_of_any_size_is_cut_and_merged_with_others() {
    let queue = Coalesced::new(Backend::new());
    let (many, few) = (receive(&queue, 13).await, receive(&queue, 4).await);
    let (one, two) =
        tokio::join!(many[0].settler().delete(receipts(&many)), few[0].settler().delete(receipts(&few)));
    assert_eq!((one.len(), two.len()), (13, 4));
    assert_eq!(queue.queue().sizes(Operation::Delete), [10, 7]);
    forget(many);
    forget(few);
}

#[tokio::test(start_paused = true)]
async fn an_ordered_queue_gets_one_visibility_change_at_a_time() {
    let limits = Limits::default().with_ordered(true);
    let queue = Coalesced::new(Backend::new().with_limits(limits).with_latency(|_| ms(10)));
    let deliveries = receive(&queue, 25).await;
    let batch = receipts(&deliveries).into_iter().rev().map(|receipt| (receipt, Duration::ZERO)).collect();
    deliveries[0].settler().change_visibility(batch).await;
    let sent: Vec<_> = queue.queue().calls().into_iter().flat_map(|call| call.entries).collect();
    assert_eq!(sent, (0..25).rev().map(|number| format!("m{number}")).collect::<Vec<_>>());
    assert_eq!(queue.queue().most_running(), 1);
    forget(deliveries);
}

// P33, Q6
#[tokio::test(start_paused = true)]
async fn three_failed_of_ten_give_back_their_own_deliveries_and_no_others() {
    let backend = Backend::new().answering(|_, call| {
        let answer = |name: &String| match name.as_str() {
            "m2" => Err(QueueError::lost("m2")),
            "m5" | "m9" => Err(QueueError::permanent(name.clone())),
            _ => Ok(()),
        };
        call.entries.iter().map(answer).collect()
    });
    let queue = Coalesced::new(backend);
    let answers = join_all(receive(&queue, 10).await.into_iter().map(Delivery::ack)).await;
    assert_eq!(queue.queue().sizes(Operation::Delete), [10]);
    for (number, answer) in answers.into_iter().enumerate() {
        let Err(failed) = answer else { continue };
        assert!([2, 5, 9].contains(&number));
        assert_eq!(failed.error().message(), format!("m{number}"));
        assert_eq!(failed.kind() == QueueErrorKind::Lost, number == 2);
        assert_eq!(failed.into_delivery().message().body(), format!("m{number}"));
    }
    assert_eq!(queue.queue().abandoned(), 2);
}
