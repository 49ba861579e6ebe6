//! W10: stop, drain, abort.

use queue_core::{Context, Depth, Message};
use testkit::server::{Fault, FaultScript, Rule};
use tokio::time::{Instant, sleep};
use worker::{Receiver, handler};

use crate::world::{Seen, depth, ms, note, publish, queue, server, until};

// W10
#[tokio::test]
async fn a_receive_in_flight_at_stop_is_awaited_and_hides_nothing() {
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main", 30).await;
    let running =
        Receiver::builder(main.clone()).wait(ms(2_000)).handler(handler(note).with(seen.clone())).start();
    until("it waits", || server.calls().of("ReceiveMessage") == 1).await;
    let stop = async {
        let start = Instant::now();
        (running.stop(ms(5_000)).await, start.elapsed())
    };
    let late = async {
        sleep(ms(200)).await; // the stop has begun
        publish(&main, 3).await;
    };
    let ((account, took), ()) = tokio::join!(stop, late);
    assert!(took >= ms(200), "the service finishes its wait: {took:?}");
    let left = depth(&main).await;
    assert_eq!(account.received, account.handled + account.released);
    assert_eq!((left.in_flight, left.visible + account.handled), (0, 3), "{account:?}");
    assert_eq!(server.calls().of("ReceiveMessage"), 1, "no new receive");
}

// W10
#[tokio::test]
async fn running_jobs_are_renewed_while_they_are_drained_and_what_waits_is_given_back() {
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main", 3).await;
    publish(&main, 8).await;
    let long = async |seen: Seen, _: Message, context: Context| {
        sleep(ms(7_000)).await;
        seen.note(&context);
    };
    let running = Receiver::builder(main.clone())
        .slots(2)
        .wait(ms(1_000))
        .handler(handler(long).with(seen.clone()))
        .start();
    until("two are handled, others wait", || running.account().received >= 3).await;
    let account = running.stop(ms(20_000)).await;
    assert_eq!((account.handled, account.lost, account.orphaned, seen.count()), (2, 0, 0, 2));
    let left = depth(&main).await;
    assert_eq!((left.visible, left.in_flight), (6, 0), "{account:?}");
}

// W10
#[tokio::test]
async fn jobs_past_the_grace_are_aborted_and_visible_at_once() {
    let server = server().await;
    let main = queue(&server, "main", 30).await;
    publish(&main, 2).await;
    let never = async |_: Message, _: Context| std::future::pending::<()>().await;
    let running = Receiver::builder(main.clone()).slots(2).wait(ms(1_000)).handler(handler(never)).start();
    until("both began", || running.account().in_flight == 2).await;
    let account = running.stop(ms(200)).await;
    // The receive that was waiting may get them once more, and gives them back as well.
    assert_eq!((account.handled, account.orphaned, account.received), (0, 0, account.released));
    assert_eq!(depth(&main).await, Depth::new(2, 0, 0));
}

// W10, P16
#[tokio::test]
async fn what_was_handled_is_deleted_before_it_stops_though_deletes_fail() {
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main", 30).await;
    publish(&main, 9).await;
    let faults =
        [Fault::throttled(), Fault::partial([Some("InternalError"), None, Some("ServiceUnavailable")])];
    let rule = Rule::in_turn(faults).with_operation("DeleteMessageBatch").with_times(2);
    server.faults(FaultScript::new([rule]));
    let builder = Receiver::builder(main.clone()).slots(9).wait(ms(1_000)).linger(ms(5_000));
    let running = builder.handler(handler(note).with(seen.clone())).start();
    until("all ran", || seen.count() == 9).await;
    let account = running.stop(ms(5_000)).await;
    assert_eq!((account.handled, account.orphaned), (9, 0));
    assert_eq!((depth(&main).await, server.struck()), (Depth::empty(), vec![2]));
}

// W10, P20
#[tokio::test]
async fn stopping_five_times_leaves_the_queue_as_deep_as_it_was() {
    let server = server().await;
    let main = queue(&server, "main", 30).await;
    publish(&main, 20).await;
    let sent = server.calls().of("SendMessageBatch");
    for _ in 0..5 {
        let never = async |_: Message, _: Context| std::future::pending::<()>().await;
        let running =
            Receiver::builder(main.clone()).slots(3).wait(ms(1_000)).handler(handler(never)).start();
        until("some run and some wait", || running.account().in_flight > 3).await;
        let account = running.stop(ms(0)).await;
        assert_eq!((account.received, account.orphaned), (account.released, 0), "{account:?}");
        assert_eq!(depth(&main).await, Depth::new(20, 0, 0));
    }
    assert_eq!(server.calls().of("SendMessageBatch"), sent, "given back, not sent anew");
}
