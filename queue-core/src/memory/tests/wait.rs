//! Long polls: what ends them, and when.

use super::*;
use crate::CancellationToken;

// Q5
#[tokio::test(start_paused = true)]
async fn an_empty_receive_takes_exactly_its_wait_and_is_an_empty_list() {
    let queue = MemoryQueue::new();
    for wait in [Duration::ZERO, Duration::from_millis(1), secs(7), secs(20)] {
        let (after, answer) = timed(queue.receive(ReceiveOptions::default().with_wait(wait))).await;
        assert_eq!((after, answer.unwrap().len()), (wait, 0));
    }
    assert_eq!(timed(queue.receive(ReceiveOptions::default())).await.0, secs(20));
}

// Q5
#[tokio::test(start_paused = true)]
async fn what_is_there_is_answered_at_once() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    let (after, answer) = timed(queue.receive(ReceiveOptions::default())).await;
    assert_eq!((after, bodies(&answer.unwrap())), (Duration::ZERO, vec!["a"]));
}

// Q5
#[tokio::test(start_paused = true)]
async fn an_arrival_wakes() {
    let queue = MemoryQueue::new();
    let (after, got) = wait_while(&queue, secs(5), publish(&queue, "a")).await;
    assert_eq!((after, bodies(&got)), (secs(5), vec!["a"]));
}

// Q3, Q5
#[tokio::test(start_paused = true)]
async fn the_end_of_a_visibility_timeout_wakes() {
    let queue = MemoryQueue::builder().visibility(secs(8)).build().unwrap();
    publish(&queue, "a").await;
    let held = take_one(&queue).await;
    let (after, got) = wait_while(&queue, Duration::ZERO, async {}).await;
    assert_eq!((after, bodies(&got)), (secs(8), vec!["a"]));
    held.forget();
}

// Q5
#[tokio::test(start_paused = true)]
async fn the_end_of_a_delay_wakes_also_when_it_was_published_during_the_wait() {
    let queue = MemoryQueue::new();
    let delayed = |delay| queue.publish_one(Outgoing::new("a").with_delay(secs(delay)));
    delayed(900).await.unwrap();
    delayed(3).await.unwrap();
    assert_eq!(wait_while(&queue, Duration::ZERO, async {}).await.0, secs(3));
    let (after, got) = wait_while(&queue, secs(2), delayed(4)).await;
    assert_eq!((after, got.len()), (secs(6), 1));
}

// Q3, Q5
#[tokio::test(start_paused = true)]
async fn a_release_wakes_at_once_or_after_its_delay() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    let held = take_one(&queue).await;
    let (after, mut got) = wait_while(&queue, secs(4), held.release(Duration::ZERO)).await;
    assert_eq!((after, got.len()), (secs(4), 1));
    let (after, got) = wait_while(&queue, secs(4), got.remove(0).release(secs(5))).await;
    assert_eq!((after, got.len()), (secs(9), 1));
}

// Q5: the timer that was set for the old timeout wakes, finds nothing, and the wait goes on
#[tokio::test(start_paused = true)]
async fn an_extension_puts_the_waking_off() {
    let queue = MemoryQueue::builder().visibility(secs(5)).build().unwrap();
    publish(&queue, "a").await;
    let mut held = take_one(&queue).await;
    let (after, got) = wait_while(&queue, secs(4), held.extend(secs(10))).await;
    assert_eq!((after, got.len()), (secs(14), 1));
}

// Q5
#[tokio::test(start_paused = true)]
async fn stop_ends_the_wait_with_an_empty_list() {
    let queue = MemoryQueue::new();
    let stop = CancellationToken::new();
    let receive = timed(queue.receive(ReceiveOptions::default().with_stop(stop.clone())));
    let later = async {
        tokio::time::sleep(secs(6)).await;
        stop.cancel();
    };
    let ((after, answer), ()) = futures::join!(receive, later);
    assert_eq!((after, answer.unwrap().len()), (secs(6), 0));
}

// Q5
#[tokio::test(start_paused = true)]
async fn a_receive_that_is_stopped_already_answers_with_what_is_there() {
    let queue = MemoryQueue::new();
    let stop = CancellationToken::new();
    stop.cancel();
    let options = ReceiveOptions::default().with_stop(stop);
    assert_eq!(timed(queue.receive(options.clone())).await.0, Duration::ZERO);
    publish(&queue, "a").await;
    assert_eq!(bodies(&queue.receive(options).await.unwrap()), ["a"]);
}

// Q5
#[tokio::test(start_paused = true)]
async fn a_receive_that_asks_for_what_is_not_allowed_is_refused_by_value() {
    let queue = MemoryQueue::new();
    let asked = ReceiveOptions::new;
    for (options, value) in [
        (asked(0), "0 messages; 1 to 10"),
        (asked(11), "11 messages; 1 to 10"),
        (asked(1).with_wait(Duration::from_millis(20_001)), "20.001s is longer than the 20s"),
        (asked(1).with_visibility(secs(43_201)), "43201s is longer than the 43200s"),
    ] {
        let (after, answer) = timed(queue.receive(options)).await;
        let error = answer.unwrap_err();
        assert_eq!((after, error.kind()), (Duration::ZERO, QueueErrorKind::Permanent));
        assert!(error.message().contains(value), "{error}");
    }
    assert!(queue.receive(asked(10).with_wait(Duration::ZERO).with_visibility(secs(43_200))).await.is_ok());
}

// a busy loop never starves the other tasks of its thread
#[tokio::test(start_paused = true)]
async fn a_loop_that_never_has_to_wait_lets_others_run() {
    let queue = MemoryQueue::new();
    publish(&queue, "a").await;
    let seen = std::cell::Cell::new(false);
    let busy = async {
        let mut rounds = 0;
        while !seen.get() && rounds < 10_000 {
            let peek = ReceiveOptions::default().with_visibility(Duration::ZERO);
            queue.receive(peek).await.unwrap().into_iter().for_each(Delivery::forget);
            rounds += 1;
        }
        rounds
    };
    let other = async {
        tokio::task::yield_now().await;
        seen.set(true);
    };
    assert!(futures::join!(busy, other).0 < 10_000);
}
