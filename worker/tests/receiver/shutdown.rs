//! W10: stop, drain, abort.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{CancellationToken, Context, Depth, Inspect, Message, QueueError, WorkerClass};
use tokio::time::{Instant, sleep, timeout};
use worker::{Receiver, handler};

use crate::support::{CallKind, Fault, Faulty, Seen, note, publish, queue, seconds, take_a_second};

// W10
#[tokio::test(start_paused = true)]
async fn running_jobs_are_awaited_and_what_waits_is_given_back_at_once() {
    let (main, seen) = (queue(30), Seen::default());
    publish(&main, 10).await;
    let running =
        Receiver::builder(main.clone()).slots(2).handler(handler(take_a_second).with(seen.clone())).start();
    sleep(Duration::from_millis(500)).await;
    let start = Instant::now();
    let account = running.stop(seconds(20)).await;
    assert!(start.elapsed() < seconds(1), "it waits no longer than it must (P18)");
    assert_eq!((account.handled, account.released, account.orphaned), (2, 8, 0));
    assert_eq!(main.depth().await.unwrap().visible, 8, "visible at once");
}

// W10
#[tokio::test(start_paused = true)]
#[expect(clippy::disallowed_methods, reason = "a handler may do what the house does not")]
async fn jobs_past_the_grace_are_aborted_and_made_visible_at_once() {
    let main = queue(30);
    publish(&main, 2).await;
    let told = CancellationToken::new();
    let never = async |told: CancellationToken, _: Message, context: Context| {
        // What a handler has spawned outlives its drop, and hears of it.
        tokio::spawn(async move {
            context.cancelled().cancelled().await;
            told.cancel();
        });
        std::future::pending::<()>().await;
    };
    let running = Receiver::builder(main.clone()).slots(2).handler(handler(never).with(told.clone())).start();
    sleep(seconds(100)).await;
    let start = Instant::now();
    let account = running.stop(seconds(20)).await;
    told.cancelled().await;
    assert_eq!(start.elapsed(), seconds(20));
    assert_eq!((account.handled, account.released, account.orphaned), (0, 2, 0));
    assert_eq!(main.depth().await.unwrap().visible, 2);
}

// W10
#[tokio::test(start_paused = true)]
async fn running_jobs_are_renewed_while_they_are_drained() {
    let (main, seen) = (queue(10), Seen::default());
    publish(&main, 1).await;
    let long = async |seen: Seen, _: Message, context: Context| {
        sleep(seconds(100)).await;
        seen.note(&context);
    };
    let running = Receiver::builder(main.clone()).handler(handler(long).with(seen.clone())).start();
    sleep(seconds(1)).await;
    let account = running.stop(seconds(200)).await;
    assert_eq!((account.handled, account.lost, seen.count()), (1, 0, 1));
    assert_eq!(main.depth().await.unwrap(), Depth::empty());
}

// W10
#[tokio::test(start_paused = true)]
async fn a_receive_in_flight_is_awaited_and_what_it_brings_given_back() {
    let main = queue(30);
    let slow = |call, _| if call == CallKind::Receive { Fault::Delay(seconds(8)) } else { Fault::None };
    publish(&main, 5).await;
    let running = Receiver::builder(Faulty::new(main.clone(), slow))
        .handler(handler(note).with(Seen::default()))
        .start();
    sleep(seconds(1)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.received, account.released, account.handled), (5, 5, 0));
    assert_eq!(main.depth().await.unwrap().visible, 5);
}

// W10
#[tokio::test(start_paused = true)]
async fn an_idle_receiver_stops_at_once() {
    let running = Receiver::builder(queue(30))
        .pollers(WorkerClass::MAIN, 10)
        .handler(handler(note).with(Seen::default()));
    let running = running.start();
    sleep(seconds(1)).await;
    let start = Instant::now();
    running.stop(seconds(20)).await;
    assert_eq!(start.elapsed(), Duration::ZERO);
}

// W10, P16
#[tokio::test(start_paused = true)]
async fn nine_handled_messages_are_deleted_before_it_stops() {
    let (main, seen) = (queue(30), Seen::default());
    let flaky = Faulty::new(main.clone(), |_, _| Fault::None);
    publish(&main, 9).await;
    let running = Receiver::builder(flaky.clone())
        .linger(seconds(20))
        .slots(9)
        .handler(handler(note).with(seen.clone()))
        .start();
    sleep(Duration::from_millis(1)).await;
    let account = running.stop(seconds(20)).await;
    let deleted: usize = flaky.calls_of(CallKind::Delete).iter().map(|call| call.entries).sum();
    assert_eq!((account.handled, deleted), (9, 9));
    assert_eq!(main.depth().await.unwrap(), Depth::empty());
}

// W10, P20
#[tokio::test(start_paused = true)]
async fn stopping_five_times_leaves_the_queue_as_deep_as_it_was() {
    let main = queue(30);
    publish(&main, 50).await;
    for _ in 0..5 {
        let minute = async |_: Message, _: Context| sleep(seconds(60)).await;
        let running = Receiver::builder(main.clone()).slots(3).handler(minute).start();
        sleep(seconds(1)).await;
        running.stop(Duration::ZERO).await;
        assert_eq!(main.depth().await.unwrap().visible, 50);
    }
}

// W10, P21
#[tokio::test(start_paused = true)]
async fn a_handler_may_stop_its_own_receiver() {
    let main = queue(30);
    publish(&main, 30).await;
    let stop = CancellationToken::new();
    let stops = async |stop: CancellationToken, _: Message, _: Context| stop.cancel();
    let running = Receiver::builder(main.clone()).stop_on(&stop).handler(handler(stops).with(stop)).start();
    running.stop_token().cancelled().await;
    let account = running.stop(seconds(5)).await;
    assert_eq!((account.handled + account.released, account.orphaned), (account.received, 0));
    assert_eq!(main.depth().await.unwrap().in_flight, 0);
}

// W10
#[tokio::test(start_paused = true)]
async fn dropping_it_gives_back_what_waits_and_lets_running_jobs_end() {
    let (main, seen) = (queue(30), Seen::default());
    publish(&main, 10).await;
    let running =
        Receiver::builder(main.clone()).slots(1).handler(handler(take_a_second).with(seen.clone())).start();
    sleep(Duration::from_millis(100)).await;
    drop(running);
    sleep(Duration::from_millis(100)).await;
    assert_eq!(
        main.depth().await.unwrap(),
        Depth::new(9, 1, 0).with_oldest(Some(Duration::from_millis(200)))
    );
    sleep(seconds(1)).await;
    assert_eq!((main.depth().await.unwrap().total(), seen.count()), (9, 1));
}

// W10: a queue that does not answer at stop leaves orphans, and they are counted
#[tokio::test(start_paused = true)]
async fn what_cannot_be_given_back_is_counted_as_orphaned() {
    let main = queue(30);
    let fails = |call, _| match call {
        CallKind::ChangeVisibility => Fault::Error(QueueError::permanent("AccessDenied")),
        _ => Fault::None,
    };
    publish(&main, 10).await;
    let minute = async |_: Message, _: Context| sleep(seconds(60)).await;
    let running = Receiver::builder(Faulty::new(main.clone(), fails)).slots(1).handler(minute).start();
    sleep(seconds(1)).await;
    let account = running.stop(Duration::ZERO).await;
    assert_eq!((account.released, account.orphaned), (0, 10));
}

// W10, P18, P22: at a thousand instants, nothing is lost, hidden or handled twice
#[tokio::test(start_paused = true)]
async fn stopping_at_any_instant_loses_and_hides_nothing() {
    for instant in 0..1_000 {
        let (main, seen) = (queue(30), Seen::default());
        let slow = |call, _| match call {
            CallKind::Receive | CallKind::Delete => Fault::Delay(Duration::from_millis(3)),
            _ => Fault::None,
        };
        publish(&main, 40).await;
        let quick = async |seen: Seen, _: Message, context: Context| {
            sleep(Duration::from_millis(7)).await;
            seen.note(&context);
        };
        let running = Receiver::builder(Faulty::new(main.clone(), slow))
            .pollers(WorkerClass::MAIN, 3)
            .slots(4)
            .handler(handler(quick).with(seen.clone()))
            .start();
        sleep(Duration::from_micros(instant * 137)).await;
        let stopped = timeout(seconds(60), running.stop(Duration::from_millis(instant % 12))).await;
        let account = stopped.expect("it stops");
        let depth = main.depth().await.unwrap();
        assert_eq!((depth.visible + account.handled, depth.in_flight), (40, 0), "{instant}: {account:?}");
        assert_eq!(account.handled + account.released, account.received, "{instant}: {account:?}");
    }
}

// W10: the receiver's parts are gone after it stopped
#[tokio::test(start_paused = true)]
async fn nothing_of_it_lives_on_after_stop() {
    let state = Arc::new(());
    let keeps = async |_: Arc<()>, _: Message, _: Context| {};
    let running = Receiver::builder(queue(30)).handler(handler(keeps).with(Arc::clone(&state))).start();
    sleep(seconds(1)).await;
    running.stop(seconds(1)).await;
    assert_eq!(Arc::strong_count(&state), 1);
}
