//! A clock that is moved forward. Tokio's stands still, so what these tests wait for comes by moving alone.

use super::*;
use crate::{MemoryClock, MemoryQueueBuilder};

fn moved(builder: MemoryQueueBuilder) -> (MemoryClock, MemoryQueue) {
    let clock = MemoryClock::new();
    let queue = builder.clock(clock.clone()).build().unwrap();
    (clock, queue)
}

// Q3
#[tokio::test(start_paused = true)]
async fn a_moved_clock_ends_visibility_timeouts_and_delays_to_the_millisecond() {
    let (clock, queue) = moved(MemoryQueue::builder().visibility(secs(8)));
    publish(&queue, "a").await;
    take_one(&queue).await.forget();
    queue.publish_one(Outgoing::new("b").with_delay(secs(8))).await.unwrap();
    clock.advance(Duration::from_millis(7_999));
    assert!(take(&queue).await.is_empty());
    clock.advance(Duration::from_millis(1));
    assert_eq!(bodies(&take(&queue).await), ["a", "b"]);
}

// Q9, Q10
#[tokio::test(start_paused = true)]
async fn a_moved_clock_ends_retention_and_the_window_of_deduplication() {
    let (clock, queue) = moved(MemoryQueue::builder().ordered().retention(secs(301)));
    send(&queue, "a1 a1").await;
    assert_eq!(depth(&queue).await, Depth::new(1, 0, 0));
    clock.advance(secs(300));
    send(&queue, "a1").await;
    assert_eq!(depth(&queue).await, Depth::new(2, 0, 0));
    clock.advance(secs(1));
    assert_eq!((depth(&queue).await, queue.counts().expired), (Depth::new(1, 0, 0), 1));
}

// Q5
#[tokio::test(start_paused = true)]
async fn a_move_wakes_receives_for_what_became_visible_and_at_the_end_of_their_wait() {
    let (clock, queue) = moved(MemoryQueue::builder());
    for (wait, found) in [(secs(20), 1), (secs(6), 0)] {
        queue.purge().await.unwrap();
        queue.publish_one(Outgoing::new("a").with_delay(secs(7))).await.unwrap();
        let receive = timed(queue.receive(ReceiveOptions::default().with_wait(wait)));
        let later = async {
            for _ in 0..7 {
                tokio::task::yield_now().await;
                clock.advance(secs(1));
            }
        };
        let ((after, answer), ()) = futures::join!(receive, later);
        assert_eq!((after, answer.unwrap().len()), (Duration::ZERO, found));
    }
}

// Q5: the rest of the wait is tokio's
#[tokio::test(start_paused = true)]
async fn what_a_wait_was_not_moved_takes_its_time() {
    let (clock, queue) = moved(MemoryQueue::builder());
    let (after, got) = wait_while(&queue, secs(1), async { clock.advance(secs(12)) }).await;
    assert_eq!((after, got.len()), (secs(8), 0));
}

// Q5: whatever of a receive and of a move comes first
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_move_is_missed() {
    for _ in 0..2_000 {
        let (clock, queue) = moved(MemoryQueue::builder());
        queue.publish_one(Outgoing::new("a").with_delay(secs(900))).await.unwrap();
        let receive = queue.clone();
        let mut tasks = tokio::task::JoinSet::new();
        tasks.spawn(async move { receive.receive(ReceiveOptions::default()).await.unwrap().len() });
        tokio::task::yield_now().await;
        clock.advance(secs(900));
        let got = tokio::time::timeout(secs(10), tasks.join_next()).await;
        assert_eq!(got.unwrap().unwrap().unwrap(), 1);
    }
}

// Q7, Q10
#[tokio::test(start_paused = true)]
async fn a_queue_has_its_dead_letter_queues_clock_and_no_other() {
    let (clock, dead) = moved(MemoryQueue::builder().retention(secs(60)));
    let queue = MemoryQueue::builder().visibility(secs(5)).dead_letter(dead.clone(), 1).build().unwrap();
    publish(&queue, "a").await;
    take_one(&queue).await.forget();
    clock.advance(secs(5));
    assert!(take(&queue).await.is_empty());
    assert_eq!(depth(&dead).await, Depth::new(1, 0, 0));
    clock.advance(secs(55));
    assert_eq!(depth(&dead).await, Depth::empty());
    let other = MemoryQueue::builder().dead_letter(dead, 1).clock(MemoryClock::new()).build().unwrap_err();
    assert_eq!(other.message(), "a dead-letter queue has the clock of the queue that it belongs to");
}

#[tokio::test(start_paused = true)]
async fn the_times_of_messages_move_with_the_clock_and_the_longest_move_overflows_nothing() {
    let (clock, queue) = moved(MemoryQueue::builder());
    publish(&queue, "a").await;
    clock.advance(secs(3_600));
    publish(&queue, "b").await;
    let sent: Vec<_> =
        take(&queue).await.iter().map(|delivery| delivery.message().sent_at().unwrap()).collect();
    assert_eq!(sent[1].duration_since(sent[0]).unwrap(), secs(3_600));
    for _ in 0..3 {
        clock.advance(Duration::MAX);
    }
    assert!(take(&queue).await.is_empty());
    assert_eq!(timed(queue.receive(ReceiveOptions::default())).await.0, secs(20));
}

#[tokio::test(start_paused = true)]
async fn whoever_sleeps_by_the_clock_wakes_by_a_move_or_by_the_time() {
    let clock = MemoryClock::new();
    for (moved, slept) in [(0, 10), (4, 6), (10, 0), (11, 0)] {
        let until = clock.now() + secs(10);
        let later = async { clock.advance(secs(moved)) };
        assert_eq!(timed(async { futures::join!(clock.sleep_until(until), later) }).await.0, secs(slept));
    }
}
