//! W4, W5: a message stays ours while it is handled, and what happens when it doesn't.

use queue_core::{Context, Depth, Message};
use testkit::server::Fault;
use tokio::time::sleep;
use worker::{Receiver, handler};

use crate::world::{Seen, depth, first, ms, publish, queue, server, until};

// W4, P8, P9
#[tokio::test]
async fn jobs_ten_times_as_long_as_the_queues_own_visibility_timeout_are_delivered_once() {
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main", 1).await;
    publish(&main, 10).await;
    let long = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        sleep(ms(10_000)).await;
    };
    let running = Receiver::builder(main.clone())
        .slots(10)
        .wait(ms(1_000))
        .handler(handler(long).with(seen.clone()))
        .start();
    until("all were handled", || running.account().handled == 10).await;
    let account = running.stop(ms(1_000)).await;
    assert_eq!((account.lost, account.renewals_lost, seen.count()), (0, 0, 10));
    assert_eq!(depth(&main).await, Depth::empty());
    let renewals = server.calls().of("ChangeMessageVisibilityBatch");
    assert!((18..=30).contains(&renewals), "ten in a call, every half second: {renewals} calls");
}

// W5
#[tokio::test]
async fn a_renewal_that_is_told_lost_tells_the_handler_and_deletes_nothing() {
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main", 1).await;
    publish(&main, 1).await;
    server.faults(first("ChangeMessageVisibilityBatch", 1, Fault::partial([Some("MessageNotInflight")])));
    let waits = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        if context.receive_count() == 1 {
            context.cancelled().cancelled().await;
        }
    };
    let running = Receiver::builder(main.clone())
        .slots(2)
        .wait(ms(1_000))
        .handler(handler(waits).with(seen.clone()))
        .start();
    until("it came again", || running.account().handled == 1).await;
    let account = running.stop(ms(1_000)).await;
    assert_eq!((account.lost, account.renewals_lost, seen.count()), (1, 1, 2));
    assert_eq!(server.calls().of("DeleteMessageBatch"), 1, "the second time only");
    assert_eq!(depth(&main).await, Depth::empty());
}

// W4, Q6: renewals whose answer is lost, or that are throttled, are made again in time
#[tokio::test]
async fn renewals_that_fail_for_a_passing_reason_lose_nothing() {
    use testkit::server::{Cut, FaultScript, Rule};
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main", 4).await;
    publish(&main, 3).await;
    let faults =
        [Fault::cut(Cut::After), Fault::error("InternalError"), Fault::partial([Some("InternalError")])];
    let rule = Rule::in_turn(faults).with_operation("ChangeMessageVisibilityBatch").with_times(3);
    server.faults(FaultScript::new([rule]));
    let long = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        sleep(ms(9_000)).await;
    };
    let running = Receiver::builder(main.clone())
        .slots(3)
        .wait(ms(1_000))
        .handler(handler(long).with(seen.clone()))
        .start();
    until("all were handled", || running.account().handled == 3).await;
    let account = running.stop(ms(1_000)).await;
    assert_eq!((account.lost, seen.count(), server.struck()[0]), (0, 3, 3));
}
