//! Flushing: at a stop, nothing that was handed over is left behind.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::backend::{Backend, Operation, all_well};
use crate::{
    Coalesced, Consumer, Delivery, Outgoing, PublisherExt, QueueError, QueueErrorKind, ReceiveOptions,
};

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

async fn receive(queue: &Coalesced<Backend>, count: usize) -> Vec<Delivery> {
    queue.receive(ReceiveOptions::new(count)).await.unwrap()
}

// P16
#[tokio::test(start_paused = true)]
async fn a_flush_with_nine_acks_waiting_sends_nine_deletes_at_once() {
    let queue = Coalesced::new(Backend::new().with_latency(|_| ms(10)));
    let mut deliveries = receive(&queue, 10).await;
    let last = deliveries.pop();
    let begun = Instant::now();
    let acks: JoinSet<_> = deliveries.into_iter().map(Delivery::ack).collect();
    let flush = async {
        sleep(ms(1)).await;
        assert!(queue.queue().calls().is_empty());
        queue.flush().await;
        assert_eq!((begun.elapsed(), queue.queue().sizes(Operation::Delete)), (ms(11), vec![9]));
    };
    let (acks, ()) = tokio::join!(acks.join_all(), flush);
    assert!(acks.iter().all(Result::is_ok));
    drop(last);
}

#[tokio::test(start_paused = true)]
async fn a_flush_sends_publishes_deletes_and_changes() {
    let queue = Coalesced::new(Backend::new().with_latency(|_| ms(100)));
    let mut deliveries = receive(&queue, 3).await;
    let (one, other) = (deliveries.pop().unwrap(), deliveries.pop().unwrap());
    let begun = Instant::now();
    let work = async {
        tokio::join!(
            queue.publish_one(Outgoing::new("first, which goes at once")),
            async {
                sleep(ms(1)).await;
                queue.publish_one(Outgoing::new("second, which waits")).await
            },
            one.ack(),
            other.release(Duration::ZERO),
        )
    };
    let flush = async {
        sleep(ms(2)).await;
        queue.flush().await;
        begun.elapsed()
    };
    let (_, flushed) = tokio::join!(work, flush);
    assert_eq!(flushed, ms(102));
    let calls = queue.queue().calls();
    assert_eq!(calls.iter().filter(|call| call.at == begun + ms(2)).count(), 3);
    drop(deliveries);
}

#[tokio::test(start_paused = true)]
async fn a_flush_of_nothing_returns_at_once() {
    let (queue, begun) = (Coalesced::new(Backend::new()), Instant::now());
    queue.flush().await;
    queue.publish_one(Outgoing::new("a")).await.unwrap();
    queue.flush().await;
    assert_eq!(begun.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_flush_does_not_wait_for_what_comes_later() {
    let queue = Coalesced::new(Backend::new().with_latency(|call| ms(if call == 0 { 10 } else { 1_000 })));
    let begun = Instant::now();
    let publish = |pause| {
        let queue = &queue;
        async move {
            sleep(pause).await;
            queue.publish_one(Outgoing::new("a")).await.unwrap()
        }
    };
    let flush = async {
        sleep(ms(1)).await;
        queue.flush().await;
        begun.elapsed()
    };
    let (_, _, flushed) = tokio::join!(publish(ms(0)), publish(ms(2)), flush);
    assert_eq!(flushed, ms(10));
}

#[tokio::test(start_paused = true)]
async fn a_flush_that_is_dropped_and_repeated_still_waits_for_everything() {
    let queue = Coalesced::new(Backend::new().with_latency(|_| ms(100)));
    let begun = Instant::now();
    let flush = async {
        sleep(ms(1)).await;
        assert!(timeout(ms(10), queue.flush()).await.is_err());
        queue.flush().await;
        begun.elapsed()
    };
    let (_, flushed) = tokio::join!(queue.publish_one(Outgoing::new("a")), flush);
    assert_eq!(flushed, ms(100));
}

#[tokio::test(start_paused = true)]
async fn a_flush_waits_while_a_failed_entry_is_sent_again() {
    let backend = Backend::new().answering(|number, call| match number {
        0 => vec![Err(QueueError::transient("throttled")); call.entries.len()],
        _ => all_well(call),
    });
    let queue = Coalesced::new(backend);
    let flush = async {
        sleep(ms(1)).await;
        queue.flush().await;
        queue.queue().calls().len()
    };
    let (published, calls) = tokio::join!(queue.publish_one(Outgoing::new("a")), flush);
    assert!(published.is_ok());
    assert_eq!(calls, 2);
}

#[tokio::test(start_paused = true)]
async fn a_flush_ends_when_the_caller_takes_back_what_waits() {
    let (queue, begun) = (Coalesced::new(Backend::new()), Instant::now());
    let mut deliveries = receive(&queue, 2).await;
    let mut release = Box::pin(deliveries.remove(0).release(Duration::ZERO));
    assert!(timeout(ms(1), &mut release).await.is_err());
    let mut flush = Box::pin(queue.flush());
    assert!(futures::poll!(&mut flush).is_pending());
    drop(release);
    assert!(timeout(ms(10), flush).await.is_ok());
    assert_eq!((begun.elapsed(), queue.queue().calls().len()), (ms(1), 0));
}

// W8's kind: a call that is never answered holds its place no longer than its deadline
#[tokio::test(start_paused = true)]
async fn calls_that_are_never_answered_end_by_their_deadline_and_free_their_places() {
    let queue = Coalesced::new(Backend::new().with_latency(|_| Duration::from_hours(24)));
    let queue = queue.with_deadline(ms(1_000)).with_retries(0);
    let begun = Instant::now();
    let publishes: JoinSet<_> = (0..1_000)
        .map(|number| {
            let queue = queue.clone();
            async move { queue.publish_one(Outgoing::new(number.to_string())).await }
        })
        .collect();
    let answers = publishes.join_all().await;
    assert!(
        answers
            .iter()
            .all(|answer| answer.as_ref().is_err_and(|error| error.kind() == QueueErrorKind::Indeterminate))
    );
    assert!(begun.elapsed() <= ms(9_000), "16 calls of 10 at a time: {:?}", begun.elapsed());
}
