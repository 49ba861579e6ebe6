//! W4 to W6: a message stays ours while it waits and while it is handled, and what happens when it doesn't.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use queue_core::{
    Coalesced, Consumer, Context, Depth, Inspect, Message, Metered, QueueError, ReceiveOptions, Verdict,
};
use tokio::time::{Instant, sleep};
use worker::{Receiver, ReceiverBuilder, handler};

use crate::support::{CallKind, Fault, Faulty, Seen, publish, queue, seconds};

async fn take_100_seconds(seen: Seen, _: Message, context: Context) {
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

// W6
#[tokio::test(start_paused = true)]
async fn a_visibility_that_the_handler_sets_is_not_overwritten_by_a_late_renewal() {
    let main = queue(10);
    // The renewal at 5 s takes 2 s; the handler's own change at 6 s has to come after it.
    let slow = |call, number| match (call, number) {
        (CallKind::ChangeVisibility, 0) => Fault::Delay(seconds(2)),
        _ => Fault::None,
    };
    let flaky = Faulty::new(main.clone(), slow);
    publish(&main, 1).await;
    let sets = async |_: Message, context: Context| {
        sleep(seconds(6)).await;
        context.set_visibility(seconds(1_000)).await.unwrap();
        assert!(context.remaining() > seconds(990));
        std::future::pending::<()>().await;
    };
    let running = Receiver::builder(flaky.clone()).handler(sets).start();
    sleep(seconds(400)).await;
    assert_eq!(
        flaky.calls_of(CallKind::ChangeVisibility).len(),
        2,
        "no other renewal until half of it is over"
    );
    drop(running);
    let nothing = main.receive(ReceiveOptions::new(1).with_wait(Duration::ZERO)).await.unwrap();
    assert!(nothing.is_empty());
}

// W6
#[tokio::test(start_paused = true)]
async fn a_handler_can_neither_show_its_message_early_nor_extend_a_lost_one() {
    let main = queue(10);
    let flaky = Faulty::new(main.clone(), |call, number| match (call, number) {
        (CallKind::ChangeVisibility, 0) => Fault::Error(QueueError::lost("gone")),
        _ => Fault::None,
    });
    publish(&main, 1).await;
    let sets = async |_: Message, context: Context| {
        let zero = context.set_visibility(Duration::ZERO).await.unwrap_err();
        assert_eq!(zero.kind(), queue_core::QueueErrorKind::Permanent);
        context.cancelled().cancelled().await;
        let lost = context.set_visibility(seconds(5)).await.unwrap_err();
        assert_eq!(lost.kind(), queue_core::QueueErrorKind::Lost);
        Verdict::Done
    };
    let running = Receiver::builder(flaky).handler(sets).start();
    sleep(seconds(6)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.lost, account.panicked), (1, 0));
}

// W6, P11
#[tokio::test(start_paused = true)]
async fn renewal_ends_before_the_settle_call_is_sent() {
    let main = queue(10);
    let slow =
        |call, _| if call == CallKind::ChangeVisibility { Fault::Delay(seconds(2)) } else { Fault::None };
    let flaky = Faulty::new(main.clone(), slow);
    publish(&main, 1).await;
    let six = async |_: Message, _: Context| sleep(seconds(6)).await; // ends while its renewal is under way
    let running = Receiver::builder(flaky.clone()).handler(six).start();
    sleep(seconds(60)).await;
    let (renewed, deleted) = (flaky.calls_of(CallKind::ChangeVisibility), flaky.calls_of(CallKind::Delete));
    assert_eq!((renewed.len(), deleted.len()), (1, 1));
    assert!(deleted[0].at >= renewed[0].at + seconds(2));
    assert_eq!(running.stop(seconds(1)).await.handled, 1);
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

// P5: wrappers around deliveries change nothing about their renewal
#[tokio::test(start_paused = true)]
async fn a_wrapped_delivery_is_renewed_like_a_bare_one() {
    let (main, seen) = (queue(10), Seen::default());
    publish(&main, 10).await;
    let wrapped = Metered::new(Coalesced::new(Metered::new(Faulty::new(main.clone(), |_, _| Fault::None))));
    let running =
        Receiver::builder(wrapped).slots(10).handler(handler(take_100_seconds).with(seen.clone())).start();
    sleep(seconds(101)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((seen.count(), account.handled, account.lost), (10, 10, 0));
}

// P8
#[tokio::test(start_paused = true)]
async fn two_queues_are_renewed_by_their_own_timeouts() {
    let (short, long, seen) = (queue(4), queue(60), Seen::default());
    let flaky = [&short, &long].map(|queue| Faulty::new(queue.clone(), |_, _| Fault::None));
    publish(&short, 1).await;
    publish(&long, 1).await;
    let running = flaky
        .clone()
        .map(|queue| Receiver::builder(queue).handler(handler(take_100_seconds).with(seen.clone())).start());
    sleep(seconds(99)).await;
    assert_eq!(flaky.map(|queue| queue.calls_of(CallKind::ChangeVisibility).len()), [49, 3]);
    drop(running);
}

// P9
#[tokio::test(start_paused = true)]
async fn without_a_setting_the_queue_s_own_timeout_is_used_and_none_is_sent() {
    let main = queue(900);
    for set in [None, Some(seconds(20))] {
        let flaky = Faulty::new(main.clone(), |_, _| Fault::None);
        let builder = Receiver::builder(flaky.clone());
        let builder = set.into_iter().fold(builder, ReceiverBuilder::visibility);
        let running = builder.handler(handler(take_100_seconds).with(Seen::default())).start();
        publish(&main, 1).await;
        sleep(seconds(99)).await;
        assert_eq!(flaky.calls_of(CallKind::Receive)[0].visibility, set);
        assert_eq!(
            flaky.calls_of(CallKind::ChangeVisibility).is_empty(),
            set.is_none(),
            "half of 900 s is not over yet"
        );
        running.stop(seconds(10)).await;
    }
}

// W5, W6: neither the handler's change nor the renewals after it are answered; none of them outlasts its time
#[tokio::test(start_paused = true)]
async fn a_message_whose_time_ends_while_its_handler_s_own_change_hangs_is_lost() {
    let (main, told) = (queue(10), Arc::new(AtomicBool::new(false)));
    let hangs = |call, _| if call == CallKind::ChangeVisibility { Fault::Hang } else { Fault::None };
    publish(&main, 1).await;
    let sets = async |told: Arc<AtomicBool>, _: Message, context: Context| {
        context.set_visibility(seconds(20)).await.unwrap_err();
        context.cancelled().cancelled().await;
        told.store(true, Ordering::Relaxed);
    };
    let running = Receiver::builder(Faulty::new(main, hangs))
        .call_margin(seconds(60))
        .handler(handler(sets).with(Arc::clone(&told)))
        .start();
    sleep(seconds(11)).await;
    assert!(told.load(Ordering::Relaxed));
    assert_eq!(running.stop(Duration::ZERO).await.lost, 1);
}
