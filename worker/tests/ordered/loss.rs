//! Messages that are lost while they are held: what is behind them is given back, and never handled before them.

use queue_core::{Depth, Inspect, WorkerClass};
use tokio::time::sleep;
use worker::{Receiver, handler};

use crate::journal::Event;
use crate::support::{Plan, backoff, by_plan, fifo, millis, seconds, send, send_group};
use crate::tap::Tap;
use testkit::{CallKind, Fault, Faulty};

// W5, W11
#[tokio::test(start_paused = true)]
async fn a_head_that_is_lost_while_it_runs_comes_again_before_the_others() {
    let (queue, plan) = (fifo(), Plan::new().takes(seconds(20)));
    let tap = Tap::new(&queue);
    send(&queue, "a1 a2 a3").await;
    let running =
        Receiver::builder(tap.clone()).slots(3).handler(handler(by_plan).with(plan.clone())).start();
    sleep(seconds(10)).await;
    tap.snatch("a1").await;
    sleep(seconds(100)).await;
    let counts: Vec<_> = plan
        .journal
        .all(Event::Started)
        .iter()
        .map(|entry| (entry.body.clone(), entry.receive_count))
        .collect();
    let expected = [("a1", 1), ("a1", 2), ("a2", 2), ("a3", 2)].map(|(body, count)| (body.to_owned(), count));
    assert_eq!(counts, expected);
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.received, account.handled, account.lost, account.released), (6, 3, 1, 2));
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
}

// W11
#[tokio::test(start_paused = true)]
async fn one_that_is_lost_while_it_waits_is_not_overtaken() {
    let (queue, plan) = (fifo(), Plan::new().takes(seconds(20)));
    let tap = Tap::new(&queue);
    send(&queue, "a1 a2 a3 b1").await;
    let running =
        Receiver::builder(tap.clone()).slots(3).handler(handler(by_plan).with(plan.clone())).start();
    sleep(seconds(10)).await;
    tap.snatch("a2").await;
    sleep(seconds(100)).await;
    assert_eq!(plan.journal.starts("a"), ["a1", "a2", "a3"]);
    plan.journal.assert_in_order(1);
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.handled, account.lost, account.released), (4, 1, 1));
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
}

// W11
#[tokio::test(start_paused = true)]
async fn a_head_that_is_lost_while_it_rests_is_not_overtaken_and_comes_again_soon() {
    let (queue, plan) = (fifo(), Plan::new().fails("a1", 1));
    let tap = Tap::new(&queue);
    send(&queue, "a1 a2 a3").await;
    let running = Receiver::builder(tap.clone())
        .slots(3)
        .backoff(backoff(seconds(60)))
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(10)).await;
    tap.snatch("a1").await;
    sleep(seconds(90)).await;
    assert_eq!(plan.journal.starts("a"), ["a1", "a1", "a2", "a3"]);
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.handled, account.lost, account.released), (3, 1, 2));
}

// W5, W11: the queue refuses every renewal for a while, so that all of it expires
#[tokio::test(start_paused = true)]
async fn a_whole_group_that_expires_comes_again_in_order() {
    let (queue, plan) = (fifo(), Plan::new().takes(seconds(40)));
    let refuse = |call, number| match call {
        CallKind::ChangeVisibility if number < 20 => {
            Fault::Error(queue_core::QueueError::transient("throttled"))
        }
        _ => Fault::None,
    };
    send(&queue, "a1 a2 a3").await;
    let running = Receiver::builder(Faulty::new(queue.clone(), refuse))
        .pollers(WorkerClass::MAIN, 2)
        .slots(2)
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(600)).await;
    plan.journal.assert_in_order(1);
    let account = running.stop(seconds(1)).await;
    assert_eq!(account.handled, 3);
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
}

// W11: a delete that the queue refuses for good is as good as a loss: the head comes again at its timeout
#[tokio::test(start_paused = true)]
async fn a_head_that_could_not_be_deleted_is_not_overtaken() {
    let (queue, plan) = (fifo(), Plan::new());
    let refuse = |call, number| match (call, number) {
        (CallKind::Delete, 0) => Fault::Error(queue_core::QueueError::permanent("AccessDenied")),
        _ => Fault::None,
    };
    send(&queue, "a1 a2 a3").await;
    let running = Receiver::builder(Faulty::new(queue.clone(), refuse))
        .slots(2)
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(10)).await;
    assert_eq!(plan.journal.starts("a"), ["a1"]);
    sleep(seconds(30)).await;
    assert_eq!(plan.journal.starts("a"), ["a1", "a1", "a2", "a3"]);
    assert_eq!(running.stop(seconds(1)).await.orphaned, 1);
}

// W11: the answer to a delete was lost, but it was done
#[tokio::test(start_paused = true)]
async fn a_delete_whose_answer_is_lost_holds_the_group_up_no_longer_than_it_takes_to_ask_again() {
    let (queue, plan) = (fifo(), Plan::new());
    let lose =
        |call, number| if call == CallKind::Delete && number % 2 == 0 { Fault::Lost } else { Fault::None };
    send_group(&queue, "a", 5).await;
    let running = Receiver::builder(Faulty::new(queue.clone(), lose))
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(3)).await;
    assert_eq!(plan.journal.starts("a"), ["a1", "a2", "a3", "a4", "a5"]);
    assert_eq!(running.stop(millis(1)).await.handled, 5);
}

// W11: what a stopped receiver held goes on elsewhere, when its head is settled
#[tokio::test(start_paused = true)]
async fn what_is_given_back_waits_for_its_head_at_other_receivers_too() {
    let (queue, plan, other) = (fifo(), Plan::new().takes(seconds(20)), Plan::new());
    send_group(&queue, "a", 10).await;
    let slow =
        |call, _| if call == CallKind::ChangeVisibility { Fault::Delay(millis(200)) } else { Fault::None };
    let running = Receiver::builder(Faulty::new(queue.clone(), slow))
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(1)).await;
    let _second = Receiver::builder(queue).slots(3).handler(handler(by_plan).with(other.clone())).start();
    sleep(seconds(1)).await;
    drop(running);
    sleep(seconds(10)).await;
    assert!(other.journal.all(Event::Started).is_empty(), "its head is in a handler still");
    sleep(seconds(30)).await;
    assert_eq!(plan.journal.starts("a"), ["a1"]);
    other.journal.assert_in_order(2);
    assert_eq!(other.journal.starts("a").len(), 9);
}

// W11: so that a queue that frees a message at a time cannot give a later one away before an earlier one
#[tokio::test(start_paused = true)]
async fn a_group_is_given_back_last_first_at_loss_and_at_stop() {
    for lost in [true, false] {
        let (queue, plan) = (fifo(), Plan::new().takes(seconds(20)));
        let tap = Tap::new(&queue);
        send(&queue, "a1 a2 a3 a4 b1 b2 b3").await;
        let running =
            Receiver::builder(tap.clone()).slots(2).handler(handler(by_plan).with(plan.clone())).start();
        sleep(seconds(5)).await;
        if lost {
            tap.snatch("a1").await;
            sleep(seconds(16)).await;
        } else {
            running.stop(seconds(60)).await;
        }
        let mut given_back = tap.given_back();
        given_back.retain(|body| body.starts_with('a'));
        assert_eq!(given_back, ["a4", "a3", "a2"], "lost: {lost}");
    }
}
