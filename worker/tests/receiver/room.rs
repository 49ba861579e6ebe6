//! W9, W11: what is received starts soon, and a slow message holds up nobody.

use std::time::Duration;

use queue_core::{Consumer, Context, Inspect, MemoryQueue, Message, ReceiveOptions, WorkerClass};
use tokio::time::sleep;
use worker::{Receiver, handler};

use crate::support::{CallKind, Fault, Faulty, Seen, note, publish, queue, seconds};

// W9, P41
#[tokio::test(start_paused = true)]
async fn with_two_slots_and_a_thousand_waiting_nothing_expires_unstarted() {
    let dead = MemoryQueue::new();
    let main = MemoryQueue::builder().visibility(seconds(10)).dead_letter(dead.clone(), 3).build().unwrap();
    let seen = Seen::default();
    publish(&main, 1_000).await;
    let second = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        sleep(seconds(1)).await;
    };
    let running = Receiver::builder(main.clone())
        .pollers(WorkerClass::MAIN, 10)
        .slots(2)
        .handler(handler(second).with(seen.clone()))
        .start();
    for _ in 0..501 {
        sleep(seconds(1)).await;
        assert!(running.account().buffered <= 10, "one batch at most while handlers are slow");
    }
    let account = running.stop(seconds(2)).await;
    assert_eq!((account.handled, account.lost, dead.depth().await.unwrap().total()), (1_000, 0, 0));
    assert!(seen.all().iter().all(|(_, receive_count, _)| *receive_count == 1));
}

// W9
#[tokio::test(start_paused = true)]
async fn slow_handlers_leave_the_rest_to_other_processes() {
    let main = queue(30);
    publish(&main, 100).await;
    let minute = async |_: Message, _: Context| sleep(seconds(60)).await;
    let running = Receiver::builder(main.clone()).slots(2).handler(minute).start();
    sleep(seconds(300)).await;
    let account = running.account();
    assert!(account.in_flight <= 3 && account.buffered <= 1, "{account:?}");
    assert!(!main.receive(ReceiveOptions::new(10)).await.unwrap().is_empty());
    running.stop(Duration::ZERO).await;
}

// W9
#[tokio::test(start_paused = true)]
async fn with_no_prefetch_a_poll_asks_for_what_free_slots_take() {
    let main = queue(30);
    publish(&main, 100).await;
    let minute = async |_: Message, _: Context| sleep(seconds(60)).await;
    let running =
        Receiver::builder(main).pollers(WorkerClass::MAIN, 4).slots(7).prefetch(0).handler(minute).start();
    sleep(seconds(1)).await;
    let account = running.account();
    assert_eq!((account.received, account.buffered), (7, 0));
    running.stop(Duration::ZERO).await;
}

// W9, B1: full batches while there is a backlog
#[tokio::test(start_paused = true)]
async fn a_backlog_is_received_in_full_batches_and_deleted_ten_to_a_call() {
    let (main, seen) = (queue(30), Seen::default());
    let slow = |call, _| match call {
        CallKind::Receive | CallKind::Delete => Fault::Delay(Duration::from_millis(10)),
        _ => Fault::None,
    };
    let flaky = Faulty::new(main.clone(), slow);
    publish(&main, 10_000).await;
    let five_ms = async |seen: Seen, _: Message, context: Context| {
        sleep(Duration::from_millis(5)).await;
        seen.note(&context);
    };
    let running =
        Receiver::builder(flaky.clone()).slots(32).handler(handler(five_ms).with(seen.clone())).start();
    while seen.count() < 10_000 {
        sleep(Duration::from_millis(100)).await;
    }
    sleep(seconds(1)).await;
    let (receives, deletes) =
        (flaky.calls_of(CallKind::Receive).len(), flaky.calls_of(CallKind::Delete).len());
    assert!(receives + deletes <= 2_200, "{receives} receives, {deletes} deletes for 10,000 messages (B1)");
    running.stop(seconds(1)).await;
}

// W11
#[tokio::test(start_paused = true)]
async fn a_slow_message_holds_up_nobody_while_a_slot_is_free() {
    let (main, seen) = (queue(30), Seen::default());
    publish(&main, 100).await;
    let first_is_slow = async |seen: Seen, message: Message, context: Context| {
        if message.body() == "0" {
            sleep(seconds(3_600)).await;
        }
        seen.note(&context);
    };
    let running = Receiver::builder(main).slots(2).handler(handler(first_is_slow).with(seen.clone())).start();
    sleep(seconds(60)).await;
    assert_eq!(seen.count(), 99);
    running.stop(Duration::ZERO).await;
}

// W9: a single slot is fed while it works
#[tokio::test(start_paused = true)]
async fn one_slot_gets_everything() {
    let (main, seen) = (queue(30), Seen::default());
    publish(&main, 95).await;
    let running = Receiver::builder(main).batch(7).handler(handler(note).with(seen.clone())).start();
    sleep(seconds(1)).await;
    assert_eq!(seen.count(), 95);
    running.stop(seconds(1)).await;
}

// B1: a delete waits for company as long as it is told to
#[tokio::test(start_paused = true)]
async fn the_linger_says_how_long_a_delete_waits_for_company() {
    for linger in [10, 1_000] {
        let main = queue(30);
        let flaky = Faulty::new(main.clone(), |_, _| Fault::None);
        publish(&main, 2).await;
        let first_is_quick = async |message: Message, _: Context| {
            sleep(Duration::from_millis(if message.body() == "0" { 0 } else { 500 })).await;
        };
        let linger = Duration::from_millis(linger);
        let running =
            Receiver::builder(flaky.clone()).slots(2).linger(linger).handler(first_is_quick).start();
        sleep(seconds(2)).await;
        let deletes: Vec<_> = flaky.calls_of(CallKind::Delete).iter().map(|call| call.entries).collect();
        assert_eq!(deletes, if linger < seconds(1) { vec![1, 1] } else { vec![2] });
        running.stop(seconds(1)).await;
    }
}
