//! More than can be held, answers that come late, and bodies that nobody can read.

use std::time::Duration;

use queue_core::{
    Consumer, Context, Depth, Message, Metered, Outgoing, PublisherExt, QueueErrorKind, ReceiveOptions,
};
use queue_sqs::{SqsQueue, SqsQueueSettings};
use serde::Deserialize;
use testkit::server::{Fault, FaultScript, Rule, SqsServer};
use tokio::time::sleep;
use worker::{Receiver, handler, json};

use crate::client::client;
use crate::world::{Seen, depth, first, ms, publish, queue, server, until};

/// A queue whose messages go to another one after so many receives.
async fn with_dead_letter(server: &SqsServer, visibility: u64, most: u32) -> (SqsQueue, SqsQueue) {
    let dead = queue(server, "dead", 30).await;
    let settings = SqsQueueSettings::new().with_visibility(Duration::from_secs(visibility));
    let builder = SqsQueue::builder(client(server.endpoint_url())).name("main");
    (builder.create(settings.with_dead_letter(&dead, most)).build().await.unwrap(), dead)
}

// W5, P3
#[tokio::test]
async fn a_receipt_that_is_refused_ends_nothing() {
    let invalid = || Fault::error("ReceiptHandleIsInvalid");
    let entry = || Fault::partial([Some("ReceiptHandleIsInvalid")]);
    for (operation, fault) in [
        ("DeleteMessageBatch", invalid()),
        ("DeleteMessageBatch", entry()),
        ("ChangeMessageVisibilityBatch", invalid()),
        ("ChangeMessageVisibilityBatch", entry()),
    ] {
        let (server, seen) = (server().await, Seen::default());
        let main = queue(&server, "main", 1).await;
        publish(&main, 1).await;
        server.faults(first(operation, 1, fault));
        let fails_first = async |seen: Seen, _: Message, context: Context| {
            seen.note(&context);
            if seen.count() == 1 { Err("not yet") } else { Ok(()) }
        };
        let running = Receiver::builder(main.clone())
            .wait(ms(1_000))
            .handler(handler(fails_first).with(seen.clone()))
            .start();
        until("it was handled", || running.account().handled >= 1).await;
        publish(&main, 1).await;
        until("the next was, too", || seen.bodies().len() >= 3 && running.account().handled >= 2).await;
        running.stop(ms(1_000)).await;
        assert_eq!((depth(&main).await, server.struck()), (Depth::empty(), vec![1]), "{operation}");
    }
}

// W9, P13, P5: one that waits for its turn is renewed, or not begun; also behind a decorator
#[tokio::test]
async fn what_waits_for_a_slot_does_not_expire() {
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main", 1).await;
    publish(&main, 10).await;
    let slow = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        sleep(ms(250)).await;
    };
    let builder = Receiver::builder(Metered::new(main.clone())).slots(1).prefetch(10).wait(ms(1_000));
    let running = builder.handler(handler(slow).with(seen.clone())).start();
    until("all were handled", || running.account().handled == 10).await;
    let account = running.stop(ms(1_000)).await;
    assert_eq!((account.lost, seen.count()), (0, 10));
    assert_eq!(depth(&main).await, Depth::empty());
}

// W6, P11
#[tokio::test]
async fn a_renewal_that_is_answered_after_the_job_ended_harms_nothing() {
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main", 1).await;
    publish(&main, 3).await;
    let late = Rule::new(Fault::delay(ms(250))).with_operation("ChangeMessageVisibilityBatch");
    server.faults(FaultScript::new([late]));
    let slow = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        sleep(ms(600)).await; // the renewal is under way
    };
    let builder = Receiver::builder(main.clone()).slots(3).wait(ms(1_000));
    let running = builder.handler(handler(slow).with(seen.clone())).start();
    until("all were handled", || running.account().handled == 3).await;
    assert!(server.calls().of("ChangeMessageVisibilityBatch") >= 1);
    running.stop(ms(1_000)).await;
    assert_eq!((seen.count(), depth(&main).await), (3, Depth::empty()));
}

// W2, P15
#[tokio::test]
async fn a_message_that_always_fails_is_not_spun_into_the_dead_letter_queue() {
    let (server, seen) = (server().await, Seen::default());
    let (main, dead) = with_dead_letter(&server, 30, 5).await;
    publish(&main, 1).await;
    let fails = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        Err::<(), _>("never")
    };
    let running =
        Receiver::builder(main.clone()).wait(ms(1_000)).handler(handler(fails).with(seen.clone())).start();
    sleep(ms(2_500)).await;
    running.stop(ms(1_000)).await;
    assert!((1..=3).contains(&seen.count()), "{} times", seen.count());
    assert_eq!((depth(&main).await.total(), depth(&dead).await), (1, Depth::empty()));
}

// W9, P41
#[tokio::test]
async fn nothing_is_buried_that_never_ran() {
    let (server, seen) = (server().await, Seen::default());
    let (main, dead) = with_dead_letter(&server, 1, 3).await;
    publish(&main, 100).await;
    let slow = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        sleep(ms(60)).await;
    };
    let builder = Receiver::builder(main.clone()).slots(2).wait(ms(1_000));
    let running = builder.handler(handler(slow).with(seen.clone())).start();
    until("all were handled", || running.account().handled == 100).await;
    running.stop(ms(1_000)).await;
    assert_eq!((seen.count(), depth(&dead).await), (100, Depth::empty()));
}

// W7: short polls are refused at the cap, long ones are empty
#[tokio::test]
async fn at_the_cap_of_messages_in_flight_the_others_wait_their_turn() {
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main", 30).await;
    publish(&main, 30).await;
    let cap = Rule::new(Fault::in_flight_cap(5)).with_operation("ReceiveMessage");
    server.faults(FaultScript::new([cap]));
    let receive = async |wait| main.receive(ReceiveOptions::new(10).with_wait(wait)).await;
    let held = receive(Duration::ZERO).await.unwrap();
    assert_eq!(held.len(), 5);
    assert_eq!(receive(Duration::ZERO).await.unwrap_err().kind(), QueueErrorKind::Transient);
    assert!(receive(ms(1_000)).await.unwrap().is_empty());
    for delivery in held {
        delivery.release(Duration::ZERO).await.unwrap();
    }
    let slow = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        sleep(ms(100)).await;
    };
    let builder = Receiver::builder(main.clone()).slots(20).wait(ms(1_000));
    let running = builder.handler(handler(slow).with(seen.clone())).start();
    let mut most = 0;
    until("all were handled", || {
        let account = running.account();
        most = most.max(account.in_flight);
        account.handled == 30
    })
    .await;
    running.stop(ms(1_000)).await;
    assert_eq!((most, seen.count(), depth(&main).await), (5, 30, Depth::empty()));
}

#[derive(Debug, Deserialize)]
struct Visit {
    #[serde(rename = "id")]
    _id: u32,
}

// W14, P45
#[tokio::test]
async fn bodies_that_no_one_can_read_are_put_aside_and_end_nothing() {
    let server = server().await;
    let (main, dead) = (queue(&server, "main", 30).await, queue(&server, "dead", 30).await);
    let deep = "[".repeat(100_000);
    let large = "x".repeat(1_000_000);
    let odd = ["null", "\u{fffd}\t\r\n", "<html>502</html>", "{\"id\":-1}", "bm90IEpTT04=", &deep, &large];
    for body in odd {
        main.publish_one(Outgoing::new(body)).await.unwrap();
    }
    main.publish_one(Outgoing::new("{\"id\":1}")).await.unwrap();
    let reads = async |_: Visit, _: Context| {};
    let builder = Receiver::builder(main.clone()).dead_letter(dead.clone()).wait(ms(1_000));
    let running = builder.handler(json(reads)).start();
    until("the good one was handled", || running.account().handled == 1).await;

    until("all others were put aside", || running.account().discarded == odd.len() as u64).await;
    running.stop(ms(1_000)).await;
    assert_eq!((depth(&main).await, depth(&dead).await.visible), (Depth::empty(), odd.len() as u64));
}
