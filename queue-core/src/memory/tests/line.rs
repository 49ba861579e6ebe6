//! Several receives that wait: first come, first served, and nobody is forgotten.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

use futures::future::join_all;
use futures::poll;

use super::*;

fn one() -> ReceiveOptions {
    ReceiveOptions::new(1)
}

// Q5
#[tokio::test(start_paused = true)]
async fn the_first_that_waits_is_served_first() {
    let queue = MemoryQueue::new();
    let receives = join_all((0..3).map(|_| queue.receive(one())));
    let publishes = async {
        for body in ["a", "b", "c"] {
            publish(&queue, body).await;
        }
    };
    let (answers, ()) = futures::join!(receives, publishes);
    let answers: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    assert_eq!(answers.iter().map(|got| bodies(got)).collect::<Vec<_>>(), [["a"], ["b"], ["c"]]);
}

// Q5
#[tokio::test(start_paused = true)]
async fn receives_that_come_again_take_turns() {
    let queue = MemoryQueue::new();
    let served = [const { Cell::new(0) }; 3];
    let receiver = async |mine: &Cell<u32>| {
        loop {
            let got = queue.receive(one()).await.unwrap();
            mine.set(mine.get() + u32::try_from(got.len()).unwrap());
            got.into_iter().for_each(Delivery::forget);
        }
    };
    let publishes = async {
        for _ in 0..30 {
            publish(&queue, "a").await;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        biased;
        _ = join_all(served.iter().map(receiver)) => unreachable!(),
        () = publishes => {}
    }
    assert_eq!(served.map(|count| count.get()), [10, 10, 10]);
}

// Q5
#[tokio::test(start_paused = true)]
async fn one_message_wakes_one_of_two_and_the_other_waits_on() {
    let queue = MemoryQueue::new();
    let receives = [(); 2].map(|()| timed(queue.receive(one())));
    let publish = async {
        tokio::time::sleep(secs(1)).await;
        publish(&queue, "a").await;
    };
    let (answers, ()) = futures::join!(join_all(receives), publish);
    let seen: Vec<_> = answers.into_iter().map(|(after, got)| (after, got.unwrap().len())).collect();
    assert_eq!(seen, [(secs(1), 1), (secs(20), 0)]);
}

// Q3, Q5: timers fire in any order, the line keeps its own
#[tokio::test(start_paused = true)]
async fn a_timeout_that_ends_wakes_the_first_alone() {
    let queue = MemoryQueue::builder().visibility(secs(5)).build().unwrap();
    publish(&queue, "a").await;
    let held = take_one(&queue).await;
    let thirty = secs(30);
    let receives = (0..4).map(|_| timed(queue.receive(one().with_visibility(thirty))));
    let answers = join_all(receives).await;
    let seen: Vec<_> = answers.into_iter().map(|(after, got)| (after, got.unwrap().len())).collect();
    assert_eq!(seen, [(secs(5), 1), (secs(20), 0), (secs(20), 0), (secs(20), 0)]);
    held.forget();
}

// Q5
#[tokio::test(start_paused = true)]
async fn a_newcomer_does_not_overtake_one_that_was_called() {
    let queue = MemoryQueue::new();
    let mut first = pin!(queue.receive(one()));
    assert!(poll!(&mut first).is_pending());
    publish(&queue, "a").await;
    let mut newcomer = pin!(queue.receive(one()));
    assert!(poll!(&mut newcomer).is_pending());
    assert_eq!(bodies(&first.await.unwrap()), ["a"]);
    assert!(newcomer.await.unwrap().is_empty());
}

// Q3, Q5: the time has come, but the one that waits for it was not polled yet
#[tokio::test(start_paused = true)]
async fn a_newcomer_does_not_overtake_one_that_waits_for_the_same_moment_but_a_short_poll_does() {
    let queue = MemoryQueue::builder().visibility(secs(5)).build().unwrap();
    publish(&queue, "a").await;
    for short_poll in [false, true] {
        take_one(&queue).await.forget();
        let mut first = Box::pin(queue.receive(one()));
        assert!(poll!(&mut first).is_pending());
        advance(secs(5)).await;
        let wait = if short_poll { Duration::ZERO } else { secs(3) };
        let mut newcomer = pin!(queue.receive(one().with_wait(wait)));
        assert_eq!(poll!(&mut newcomer).is_ready(), short_poll);
        assert_eq!(first.await.unwrap().len(), 1);
        advance(secs(5)).await;
    }
}

// Q5
#[tokio::test(start_paused = true)]
async fn a_short_poll_waits_for_nobody_and_the_one_it_overtook_is_served_next() {
    let queue = MemoryQueue::new();
    let [mut first, mut second] = [(); 2].map(|()| Box::pin(queue.receive(one())));
    assert!(poll!(&mut first).is_pending() && poll!(&mut second).is_pending());
    publish(&queue, "a").await;
    assert_eq!(bodies(&take(&queue).await), ["a"]);
    assert!(poll!(&mut first).is_pending());
    publish(&queue, "b").await;
    assert!(poll!(&mut second).is_pending());
    assert_eq!(bodies(&first.await.unwrap()), ["b"]);
}

// Q5
#[tokio::test(start_paused = true)]
async fn a_receive_that_is_kept_but_not_polled_does_not_hold_up_the_others_for_ever() {
    let queue = MemoryQueue::new();
    let mut kept = pin!(queue.receive(one()));
    assert!(poll!(&mut kept).is_pending());
    let (after, got) = wait_while(&queue, secs(1), publish(&queue, "a")).await;
    assert_eq!((after, bodies(&got)), (secs(20), vec!["a"]));
    publish(&queue, "b").await;
    let (after, got) = wait_while(&queue, secs(1), publish(&queue, "c")).await;
    assert_eq!((after, bodies(&got)), (Duration::ZERO, vec!["b"]));
}

/// Counts how often a future is polled.
async fn counted<F: Future + Send>(future: F, polls: &AtomicU32) -> F::Output {
    let mut future = pin!(future);
    std::future::poll_fn(|cx| {
        polls.fetch_add(1, Ordering::Relaxed);
        future.as_mut().poll(cx)
    })
    .await
}

// Q5
#[tokio::test(start_paused = true)]
async fn receives_that_wait_are_polled_only_when_there_is_something_to_do() {
    let queue = MemoryQueue::builder().visibility(secs(10)).build().unwrap();
    publish(&queue, "a").await;
    let held = take_one(&queue).await;
    let polls = AtomicU32::new(0);
    // more than thirty, so that `join_all` polls only those that were woken
    let answers =
        join_all((0..50).map(|_| counted(queue.receive(one().with_visibility(secs(30))), &polls))).await;
    assert_eq!(answers.iter().filter(|got| !got.as_ref().unwrap().is_empty()).count(), 1);
    let polls = polls.into_inner();
    assert!(polls <= 50 * 3, "{polls} polls");
    held.forget();
}
