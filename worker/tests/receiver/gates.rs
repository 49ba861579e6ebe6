//! G6 to G8 with the real receiver.

use std::time::Duration;

use queue_core::{MasterGate, MemoryQueue, Metered, OpenGate, PollGate, WorkerClass};
use tokio::time::sleep;
use worker::{Receiver, handler};

use crate::support::{CallKind, Fault, Faulty, Seen, note, publish, queue, seconds};

/// The receives that idle pollers make in one hour, counted by the meter.
async fn idle_hour(gate: impl PollGate + 'static, classes: &[(WorkerClass, usize)]) -> u64 {
    let metered = Metered::new(MemoryQueue::new());
    let meter = metered.meter();
    let builder = Receiver::builder(metered).gate(gate);
    let builder =
        classes.iter().fold(builder, |builder, (class, count)| builder.pollers(class.clone(), *count));
    let running = builder.handler(handler(note).with(Seen::default())).start();
    sleep(Duration::from_hours(1) - Duration::from_millis(1)).await;
    let calls = meter.calls();
    drop(running);
    calls.receive
}

const MAIN: (WorkerClass, usize) = (WorkerClass::MAIN, 10);
const RETRY: (WorkerClass, usize) = (WorkerClass::RETRY, 5);

// G6, B4
#[tokio::test(start_paused = true)]
async fn ten_idle_pollers_make_180_receives_an_hour_through_the_gate_and_1800_without() {
    assert_eq!(idle_hour(MasterGate::new(), &[MAIN]).await, 180);
    assert_eq!(idle_hour(OpenGate, &[MAIN]).await, 1_800);
}

// G1, G6
#[tokio::test(start_paused = true)]
async fn two_classes_make_360_and_2700() {
    assert_eq!(idle_hour(MasterGate::new(), &[MAIN, RETRY]).await, 360);
    assert_eq!(idle_hour(OpenGate, &[MAIN, RETRY]).await, 2_700);
}

// G3, G4
#[tokio::test(start_paused = true)]
async fn a_burst_brings_all_pollers_and_the_end_of_it_leaves_one() {
    let (main, seen) = (queue(30), Seen::default());
    let slow = |call, _| {
        if call == CallKind::Receive { Fault::Delay(Duration::from_millis(20)) } else { Fault::None }
    };
    let flaky = Faulty::new(main.clone(), slow);
    let running = Receiver::builder(flaky.clone())
        .pollers(WorkerClass::MAIN, 10)
        .slots(100)
        .handler(handler(note).with(seen.clone()))
        .start();
    sleep(seconds(100)).await;
    let before = flaky.calls_of(CallKind::Receive).len();
    publish(&main, 2_000).await;
    sleep(seconds(1)).await;
    let calls = flaky.calls_of(CallKind::Receive);
    let burst = &calls[before..];
    let together = |from: tokio::time::Instant| burst.iter().filter(|call| call.at == from).count();
    assert!(burst.iter().any(|call| together(call.at) >= 5), "several poll at once");
    assert_eq!(seen.count(), 2_000);
    sleep(seconds(100)).await;
    let after = flaky.calls_of(CallKind::Receive).len();
    sleep(seconds(200)).await;
    assert_eq!(flaky.calls_of(CallKind::Receive).len() - after, 10, "one poll every 20 s again");
    running.stop(seconds(1)).await;
}

// G8, W8
#[tokio::test(start_paused = true)]
async fn a_master_whose_poll_hangs_is_replaced_after_its_deadline() {
    let (main, seen) = (queue(30), Seen::default());
    let hangs =
        |call, number| if call == CallKind::Receive && number == 0 { Fault::Hang } else { Fault::None };
    let flaky = Faulty::new(main.clone(), hangs);
    publish(&main, 1).await;
    let running = Receiver::builder(flaky.clone())
        .pollers(WorkerClass::MAIN, 10)
        .handler(handler(note).with(seen.clone()))
        .start();
    sleep(seconds(27)).await;
    assert_eq!(seen.count(), 1);
    running.stop(seconds(1)).await;
}

// G8: with as many pollers as slots, all of them busy, messages are still received as slots come free
#[tokio::test(start_paused = true)]
async fn busy_workers_do_not_stop_the_class() {
    let (main, seen) = (queue(30), Seen::default());
    publish(&main, 100).await;
    let slow = async |seen: Seen, _: queue_core::Message, context: queue_core::Context| {
        seen.note(&context);
        sleep(seconds(1)).await;
    };
    let running = Receiver::builder(main)
        .pollers(WorkerClass::MAIN, 10)
        .batch(1)
        .prefetch(0)
        .handler(handler(slow).with(seen.clone()))
        .start();
    sleep(Duration::from_millis(10_500)).await;
    assert_eq!(seen.count(), 100);
    running.stop(seconds(1)).await;
}
