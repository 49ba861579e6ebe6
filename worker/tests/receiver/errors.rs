//! W7, W8: what goes wrong with calls ends nothing and costs little.

use std::time::Duration;

use queue_core::{Inspect, OpenGate, QueueError, QueueErrorKind, WorkerClass};
use tokio::time::sleep;
use worker::{Receiver, handler};

use crate::support::{CallKind, Fault, Faulty, Seen, note, publish, queue, seconds, take_a_second};

const KINDS: [QueueErrorKind; 5] = [
    QueueErrorKind::Transient,
    QueueErrorKind::Indeterminate,
    QueueErrorKind::Permanent,
    QueueErrorKind::Lost,
    QueueErrorKind::Closed,
];

// W7, P25
#[tokio::test(start_paused = true)]
async fn no_error_ends_polling() {
    for kind in KINDS {
        let (main, seen) = (queue(30), Seen::default());
        let fails = move |call, number| match call {
            CallKind::Receive if number < 3 => Fault::Error(QueueError::new(kind, "some code")),
            _ => Fault::None,
        };
        publish(&main, 1).await;
        let running = Receiver::builder(Faulty::new(main.clone(), fails))
            .handler(handler(note).with(seen.clone()))
            .start();
        sleep(seconds(30)).await;
        let account = running.stop(seconds(1)).await;
        assert_eq!((seen.count(), account.handled, account.failed_receives), (1, 1, 3), "{kind}");
    }
}

// W7
#[tokio::test(start_paused = true)]
async fn a_client_that_panics_ends_neither_polling_nor_renewal_nor_settling() {
    for panics in [CallKind::Receive, CallKind::ChangeVisibility, CallKind::Delete] {
        let (main, seen) = (queue(4), Seen::default());
        let script =
            move |call, number| if call == panics && number == 0 { Fault::Panic } else { Fault::None };
        publish(&main, 3).await;
        let slow = async |seen: Seen, _: queue_core::Message, context: queue_core::Context| {
            seen.note(&context);
            sleep(seconds(9)).await;
        };
        let running = Receiver::builder(Faulty::new(main.clone(), script))
            .handler(handler(slow).with(seen.clone()))
            .start();
        sleep(seconds(120)).await;
        assert_eq!(main.depth().await.unwrap().total(), 0, "{panics:?}");
        assert_eq!(running.stop(seconds(1)).await.handled, 3, "{panics:?}");
    }
}

// W7, B5, P31, P32
#[tokio::test(start_paused = true)]
async fn a_missing_queue_costs_six_calls_at_most_in_any_minute() {
    for open in [false, true] {
        let main = queue(30);
        let flaky =
            Faulty::new(main.clone(), |_, _| Fault::Error(QueueError::permanent("QueueDoesNotExist")));
        let builder =
            Receiver::builder(flaky.clone()).pollers(WorkerClass::MAIN, 10).pollers(WorkerClass::RETRY, 5);
        let builder = if open { builder.gate(OpenGate) } else { builder };
        let running = builder.handler(handler(note).with(Seen::default())).start();
        sleep(Duration::from_mins(30)).await;
        let calls = flaky.calls_of(CallKind::Receive);
        let minute =
            |from| calls.iter().filter(|call| call.at >= from && call.at < from + seconds(60)).count();
        assert!(calls.iter().all(|call| minute(call.at) <= 6), "{calls:?}");
        assert!(calls.len() > 20, "it keeps polling");
        assert_eq!(running.stop(seconds(1)).await.failed_receives, calls.len() as u64);
    }
}

// W7
#[tokio::test(start_paused = true)]
async fn the_renewal_of_running_jobs_goes_on_while_receives_fail() {
    let (main, seen) = (queue(10), Seen::default());
    let fails = |call, number| match call {
        CallKind::Receive if number > 0 => Fault::Error(QueueError::transient("refused")),
        _ => Fault::None,
    };
    publish(&main, 1).await;
    let long = async |seen: Seen, _: queue_core::Message, context: queue_core::Context| {
        seen.note(&context);
        sleep(seconds(200)).await;
    };
    let running =
        Receiver::builder(Faulty::new(main.clone(), fails)).handler(handler(long).with(seen.clone())).start();
    sleep(seconds(201)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.handled, account.lost, seen.count()), (1, 0, 1));
}

// W8, P24
#[tokio::test(start_paused = true)]
async fn a_receive_that_is_never_answered_is_ended_by_its_deadline() {
    let (main, seen) = (queue(30), Seen::default());
    let hangs =
        |call, number| if call == CallKind::Receive && number == 0 { Fault::Hang } else { Fault::None };
    let flaky = Faulty::new(main.clone(), hangs);
    publish(&main, 1).await;
    let running = Receiver::builder(flaky.clone()).handler(handler(note).with(seen.clone())).start();
    sleep(seconds(28)).await;
    assert_eq!((seen.count(), running.account().failed_receives), (1, 1));
    let calls = flaky.calls_of(CallKind::Receive);
    assert!(calls[1].at - calls[0].at >= seconds(25), "the wait and five seconds");
    running.stop(seconds(1)).await;
}

// Q6, P33, P37: and those that failed together go together again
#[tokio::test(start_paused = true)]
async fn a_delete_that_fails_for_a_passing_reason_is_made_again() {
    for fault in [|| Fault::Error(QueueError::transient("throttled")), || Fault::Lost, || Fault::Hang] {
        let (main, seen) = (queue(30), Seen::default());
        let script =
            move |call, number| if call == CallKind::Delete && number < 2 { fault() } else { Fault::None };
        publish(&main, 10).await;
        let flaky = Faulty::new(main.clone(), script);
        let running = Receiver::builder(flaky.clone()).handler(handler(note).with(seen.clone())).start();
        sleep(seconds(60)).await;
        let account = running.stop(seconds(1)).await;
        assert_eq!((account.handled, account.orphaned, account.lost), (10, 0, 0));
        assert_eq!(flaky.calls_of(CallKind::Delete).len(), 3);
        assert_eq!((seen.count(), main.depth().await.unwrap().total()), (10, 0));
    }
}

// Q6: what the queue refuses for good is counted and comes back
#[tokio::test(start_paused = true)]
async fn a_delete_that_is_refused_for_good_is_counted_and_the_message_comes_back() {
    let (main, seen) = (queue(30), Seen::default());
    let script = |call, number| match (call, number) {
        (CallKind::Delete, 0) => Fault::Error(QueueError::permanent("AccessDenied")),
        _ => Fault::None,
    };
    publish(&main, 1).await;
    let running = Receiver::builder(Faulty::new(main.clone(), script))
        .handler(handler(note).with(seen.clone()))
        .start();
    sleep(seconds(60)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.orphaned, account.handled, seen.count()), (1, 1, 2));
    assert_eq!(main.counts().unsettled_drops, 1, "Q12");
}

// Kind HOT-LOOP: a queue that answers at once though it was asked to wait
#[tokio::test(start_paused = true)]
async fn an_empty_answer_without_a_wait_is_not_asked_for_in_a_tight_loop() {
    let main = queue(30);
    let flaky = Faulty::new(main.clone(), |_, _| Fault::None);
    let running = Receiver::builder(flaky.clone())
        .wait(Duration::ZERO)
        .handler(handler(note).with(Seen::default()))
        .start();
    sleep(seconds(60)).await;
    assert!(flaky.calls_of(CallKind::Receive).len() <= 61);
    running.stop(seconds(1)).await;
}

// P30
#[tokio::test(start_paused = true)]
async fn a_busy_queue_does_not_starve_another() {
    let (busy, quiet, seen) = (queue(30), queue(30), Seen::default());
    publish(&busy, 1_000).await;
    let all = Seen::default();
    let first = Receiver::builder(busy).slots(2).handler(handler(take_a_second).with(all)).start();
    let second = Receiver::builder(quiet.clone()).handler(handler(note).with(seen.clone())).start();
    sleep(seconds(10)).await;
    publish(&quiet, 1).await;
    sleep(Duration::from_millis(10)).await;
    assert_eq!(seen.count(), 1);
    drop((first, second));
}
