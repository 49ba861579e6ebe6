//! Stopping: at any instant, the order of each group is kept and nothing is lost.

use queue_core::{Consumer, Inspect, ReceiveOptions, WorkerClass};
use tokio::time::{sleep, timeout};
use worker::{Receiver, handler};

use crate::support::{Plan, backoff, by_plan, fifo, millis, seconds, send, send_group};
use testkit::{CallKind, Fault, Faulty};

// W10, W11
#[tokio::test(start_paused = true)]
async fn a_group_whose_head_rests_is_given_back_at_stop_head_first_in_line() {
    let (queue, plan) = (fifo(), Plan::new().fails("a1", 9));
    send(&queue, "a1 a2 a3").await;
    let running = Receiver::builder(queue.clone())
        .backoff(backoff(seconds(500)))
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(100)).await;
    let account = timeout(seconds(1), running.stop(seconds(20))).await.unwrap();
    assert_eq!((account.released, account.orphaned, account.lost), (3, 0, 0));
    let again = queue.receive(ReceiveOptions::new(10)).await.unwrap();
    let bodies: Vec<_> = again.iter().map(|delivery| delivery.message().body()).collect();
    assert_eq!(bodies, ["a1", "a2", "a3"]);
    assert!(
        again.iter().all(|delivery| delivery.message().receive_count() == 2),
        "giving back costs a receive"
    );
}

// W10, W11: the head fails while those behind it are given back
#[tokio::test(start_paused = true)]
async fn a_head_that_fails_during_the_drain_backs_off_in_its_queue() {
    let (queue, plan) = (fifo(), Plan::new().fails("a1", 9).takes(seconds(5)));
    send(&queue, "a1 a2").await;
    let running = Receiver::builder(queue.clone())
        .backoff(backoff(seconds(7)))
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(1)).await;
    let account = running.stop(seconds(20)).await;
    assert_eq!((account.released, account.retried), (1, 1));
    assert!(queue.receive(ReceiveOptions::new(10).with_wait(seconds(6))).await.unwrap().is_empty());
    let again = queue.receive(ReceiveOptions::new(10).with_wait(seconds(2))).await.unwrap();
    assert_eq!(again.iter().map(|delivery| delivery.message().body()).collect::<Vec<_>>(), ["a1", "a2"]);
}

// W10, W11, P22
#[tokio::test(start_paused = true)]
async fn stopping_at_any_instant_keeps_the_order_and_loses_nothing() {
    for instant in 0..300 {
        let (queue, plan) = (fifo(), Plan::new().fails("b3", 2).takes(millis(7)));
        let slow = |call, _| match call {
            CallKind::Receive | CallKind::Delete | CallKind::ChangeVisibility => Fault::Delay(millis(3)),
            _ => Fault::None,
        };
        for group in ["a", "b", "c"] {
            send_group(&queue, group, 12).await;
        }
        let flaky = Faulty::new(queue.clone(), slow);
        let build = || {
            Receiver::builder(flaky.clone())
                .pollers(WorkerClass::MAIN, 2)
                .slots(4)
                .backoff(backoff(millis(20)))
                .handler(handler(by_plan).with(plan.clone()))
                .start()
        };
        let first = build();
        sleep(std::time::Duration::from_micros(instant * 911)).await;
        let account = timeout(seconds(60), first.stop(millis(instant % 12))).await.expect("it stops");
        let depth = queue.depth().await.unwrap();
        assert_eq!(depth.total() + account.handled, 36, "{instant}: {account:?}");
        assert_eq!((account.lost, account.orphaned), (0, 0), "{instant}: {account:?}");
        let second = build();
        sleep(seconds(10)).await;
        second.stop(seconds(1)).await;
        assert_eq!(queue.depth().await.unwrap().total(), 0, "{instant}");
        plan.journal.assert_in_order(1);
    }
}
