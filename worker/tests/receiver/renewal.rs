//! W4, W5: a message stays ours while it waits and while it is handled, and what happens when it doesn't.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use queue_core::{Context, Depth, Inspect, Message, QueueError};
use tokio::time::{Instant, sleep};
use worker::{Receiver, handler};

use crate::support::{CallKind, Fault, Faulty, Seen, publish, queue, seconds};

pub(crate) async fn take_100_seconds(seen: Seen, _: Message, context: Context) {
    seen.note(&context);
    sleep(seconds(100)).await;
}

// W4
#[tokio::test(start_paused = true)]
async fn a_job_ten_times_as_long_as_the_visibility_timeout_is_delivered_once() {
    let (main, seen) = (queue(10), Seen::default());
    publish(&main, 1).await;
    let running =
        Receiver::builder(main.clone()).handler(handler(take_100_seconds).with(seen.clone())).start();
    sleep(seconds(101)).await;
    assert_eq!((seen.count(), main.depth().await.unwrap()), (1, Depth::empty()));
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.handled, account.lost), (1, 0));
}

// W4, B3
#[tokio::test(start_paused = true)]
async fn five_hundred_messages_are_renewed_ten_to_a_call() {
    let (main, seen) = (queue(10), Seen::default());
    let flaky = Faulty::new(main.clone(), |_, _| Fault::None);
    publish(&main, 500).await;
    let running = Receiver::builder(flaky.clone())
        .slots(500)
        .handler(handler(take_100_seconds).with(seen.clone()))
        .start();
    sleep(seconds(99)).await;
    let (calls, account) = (flaky.calls_of(CallKind::ChangeVisibility), running.account());
    let renewed: usize = calls.iter().map(|call| call.entries).sum();
    assert_eq!((seen.count(), account.in_flight, calls.len() as u64), (500, 500, account.renewals));
    assert!(
        renewed >= 500 * 18 && calls.len() * 100 <= renewed * 11,
        "{} calls, {renewed} renewals",
        calls.len()
    );
    running.stop(seconds(10)).await;
}

// W4, B3
#[tokio::test(start_paused = true)]
async fn messages_that_came_one_after_the_other_are_soon_renewed_together() {
    let (main, seen) = (queue(10), Seen::default());
    let flaky = Faulty::new(main.clone(), |_, _| Fault::None);
    let running = Receiver::builder(flaky.clone())
        .slots(10)
        .handler(handler(take_100_seconds).with(seen.clone()))
        .start();
    for _ in 0..10 {
        publish(&main, 1).await;
        sleep(Duration::from_millis(100)).await;
    }
    sleep(seconds(98)).await;
    let calls = flaky.calls_of(CallKind::ChangeVisibility);
    assert!(calls.len() <= 20 && calls.iter().skip(1).all(|call| call.entries == 10), "{calls:?}");
    running.stop(seconds(10)).await;
}

// W4, P4
#[tokio::test(start_paused = true)]
async fn a_batch_that_takes_longer_than_the_visibility_timeout_in_all_is_handled_once() {
    let (main, seen) = (queue(10), Seen::default());
    publish(&main, 10).await;
    let two_seconds = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        sleep(seconds(2)).await;
    };
    let running =
        Receiver::builder(main.clone()).slots(1).handler(handler(two_seconds).with(seen.clone())).start();
    sleep(seconds(30)).await;
    assert_eq!((seen.count(), running.stop(seconds(1)).await.handled), (10, 10));
}

// W4
#[tokio::test(start_paused = true)]
async fn a_handler_past_its_deadline_is_dropped_and_its_message_retried() {
    let (main, seen) = (queue(10), Seen::default());
    publish(&main, 1).await;
    let slow_at_first = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        if context.receive_count() == 1 {
            sleep(seconds(100)).await;
        }
    };
    let running = Receiver::builder(main)
        .deadline(seconds(20))
        .handler(handler(slow_at_first).with(seen.clone()))
        .start();
    sleep(seconds(30)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.overran, account.retried, account.handled), (1, 1, 1));
    let gap = seen.all()[1].2 - seen.all()[0].2;
    assert!((seconds(20)..seconds(22)).contains(&gap), "{gap:?}");
}

/// Waits for its cancellation and notes it.
async fn until_cancelled(told: Arc<AtomicBool>, _: Message, context: Context) {
    context.cancelled().cancelled().await;
    told.store(true, Ordering::Relaxed);
}

// W5, P1, P3
#[tokio::test(start_paused = true)]
async fn a_lost_message_is_told_to_its_handler_and_not_deleted() {
    let (main, told) = (queue(10), Arc::new(AtomicBool::new(false)));
    let gone = || Fault::Error(QueueError::lost("ReceiptHandleIsInvalid"));
    let flaky =
        Faulty::new(
            main.clone(),
            move |call, _| if call == CallKind::ChangeVisibility { gone() } else { Fault::None },
        );
    publish(&main, 1).await;
    let running =
        Receiver::builder(flaky.clone()).handler(handler(until_cancelled).with(Arc::clone(&told))).start();
    sleep(seconds(6)).await;
    assert!(told.load(Ordering::Relaxed), "at the first renewal");
    let account = running.account();
    assert_eq!((account.lost, account.handled, flaky.calls_of(CallKind::Delete).len()), (1, 0, 0));
    main.purge().await.unwrap();
    publish(&main, 1).await;
    sleep(seconds(1)).await;
    assert_eq!(running.account().received, 2, "the next message is handled all the same");
    running.stop(seconds(1)).await;
}

// W5
#[tokio::test(start_paused = true)]
async fn a_message_whose_renewals_fail_until_its_time_is_over_is_lost() {
    let (main, told) = (queue(10), Arc::new(AtomicBool::new(false)));
    for fault in [|| Fault::Error(QueueError::transient("reset")), || Fault::Hang, || Fault::Panic] {
        told.store(false, Ordering::Relaxed);
        main.purge().await.unwrap();
        let flaky =
            Faulty::new(
                main.clone(),
                move |call, _| if call == CallKind::ChangeVisibility { fault() } else { Fault::None },
            );
        publish(&main, 1).await;
        let start = Instant::now();
        let running = Receiver::builder(flaky.clone())
            .handler(handler(until_cancelled).with(Arc::clone(&told)))
            .start();
        while !told.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(100)).await;
        }
        let after = start.elapsed();
        assert!(after <= Duration::from_millis(10_200), "not told before its time was over: {after:?}");
        assert!(flaky.calls_of(CallKind::ChangeVisibility).len() >= 2, "a passing failure is tried again");
        assert_eq!(running.stop(Duration::ZERO).await.lost, 1);
    }
}

// W4, W5
#[tokio::test(start_paused = true)]
async fn a_renewal_that_fails_once_is_made_again_in_time() {
    let (main, seen) = (queue(10), Seen::default());
    let odd = |call, number| match call {
        CallKind::ChangeVisibility if number % 2 == 0 => Fault::Error(QueueError::transient("reset")),
        _ => Fault::None,
    };
    publish(&main, 1).await;
    let running = Receiver::builder(Faulty::new(main.clone(), odd))
        .handler(handler(take_100_seconds).with(seen.clone()))
        .start();
    sleep(seconds(101)).await;
    assert_eq!((seen.count(), running.stop(seconds(1)).await.handled), (1, 1));
}

// W5, P2
#[tokio::test(start_paused = true)]
async fn renewal_ends_before_the_twelve_hour_cap_and_the_handler_hears_of_it_before() {
    let (main, told, start) = (queue(600), Arc::new(AtomicBool::new(false)), Instant::now());
    publish(&main, 1).await;
    let running =
        Receiver::builder(main.clone()).handler(handler(until_cancelled).with(Arc::clone(&told))).start();
    while !told.load(Ordering::Relaxed) {
        sleep(seconds(10)).await;
    }
    let after = start.elapsed();
    assert!((seconds(41_000)..seconds(43_000)).contains(&after), "{after:?}");
    assert_eq!(running.stop(seconds(1)).await.handled, 1, "what ends in time is still ours");
}

// W9, P13
#[tokio::test(start_paused = true)]
async fn what_waits_for_a_slot_is_renewed_too() {
    let (main, seen) = (queue(10), Seen::default());
    publish(&main, 10).await;
    let running = Receiver::builder(main.clone())
        .slots(1)
        .handler(handler(take_100_seconds).with(seen.clone()))
        .start();
    sleep(seconds(1_001)).await;
    assert!(seen.all().iter().all(|(_, receive_count, _)| *receive_count == 1));
    assert_eq!((seen.count(), running.stop(seconds(1)).await.handled), (10, 10));
}
