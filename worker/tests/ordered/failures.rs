//! A head that fails: those behind it wait for it, all others go on.

use queue_core::{
    Consumer, Context, Depth, Inspect, Message, PublisherExt, QueueError, ReceiveOptions, Verdict,
};
use tokio::time::sleep;
use worker::{Receiver, handler};

use crate::journal::Event;
use crate::support::{Plan, backoff, by_plan, fifo, millis, outgoing, seconds, send, send_group};
use testkit::{CallKind, Fault, Faulty};

// W11, P42
#[tokio::test(start_paused = true)]
async fn after_a_failure_the_later_ones_wait_until_the_head_is_done() {
    let (queue, plan) = (fifo(), Plan::new().fails("a1", 3));
    send(&queue, "a1 a2 a3 b1 b2").await;
    let running = Receiver::builder(queue.clone())
        .slots(5)
        .backoff(backoff(seconds(10)))
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(1)).await;
    assert_eq!(plan.journal.starts("a"), ["a1"]);
    assert_eq!(plan.journal.starts("b"), ["b1", "b2"], "other groups go on");
    sleep(seconds(60)).await;
    assert_eq!(plan.journal.starts("a"), ["a1", "a1", "a1", "a1", "a2", "a3"]);
    plan.journal.assert_in_order(1);
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.received, account.handled, account.released), (5, 5, 0));
    assert_eq!((account.retried, account.lost, account.orphaned), (3, 0, 0));
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
}

// W11: the head rests here, not in its queue, so that its receive count stays and its back-off grows by its tries
#[tokio::test(start_paused = true)]
async fn the_head_backs_off_in_place_and_all_of_the_group_are_renewed() {
    let (queue, plan) = (fifo(), Plan::new().fails("a1", 4));
    send(&queue, "a1 a2").await;
    let running = Receiver::builder(queue.clone())
        .backoff(worker::Backoff::by(|tries| seconds(100 * u64::from(tries))).with_jitter(0.0))
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(900)).await;
    assert_eq!(queue.depth().await.unwrap().in_flight, 2, "far beyond the timeout");
    sleep(seconds(200)).await;
    let starts = plan.journal.seconds("a1");
    let gaps: Vec<f64> = starts.windows(2).map(|pair| (pair[1] - pair[0]).round()).collect();
    assert_eq!(gaps, [100.0, 200.0, 300.0, 400.0]);
    assert!(plan.journal.all(Event::Started).iter().all(|entry| entry.receive_count == 1));
    plan.journal.assert_in_order(1);
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.handled, account.lost), (2, 0));
    assert!(account.renewals > 0);
}

// W2, W11: with nothing behind it, it backs off in its queue, where its receive count rises
#[tokio::test(start_paused = true)]
async fn a_head_with_nothing_behind_it_backs_off_in_its_queue() {
    let (queue, plan) = (fifo(), Plan::new().fails("a1", 2));
    send(&queue, "a1").await;
    let _running = Receiver::builder(queue.clone())
        .backoff(backoff(seconds(7)))
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(1)).await;
    send(&queue, "a2").await; // behind it in its queue
    sleep(seconds(30)).await;
    let counts: Vec<_> = plan.journal.all(Event::Started).iter().map(|entry| entry.receive_count).collect();
    assert_eq!(plan.journal.starts("a"), ["a1", "a1", "a1", "a2"]);
    assert_eq!(counts, [1, 2, 2, 1], "the second time a2 came with it");
}

// W3, W11
#[tokio::test(start_paused = true)]
async fn a_head_whose_handler_panics_is_not_overtaken() {
    let (queue, plan) = (fifo(), Plan::new());
    send(&queue, "a1 a2 b1").await;
    let panics = async |plan: Plan, message: Message, context: Context| {
        assert!(message.body() != "a1" || plan.journal.tries("a1") >= 2, "{}", {
            plan.journal.note(message.body(), 1, Event::Started);
            "by plan"
        });
        by_plan(plan, message, context).await
    };
    let running =
        Receiver::builder(queue.clone()).slots(3).handler(handler(panics).with(plan.clone())).start();
    sleep(seconds(30)).await;
    assert_eq!(plan.journal.starts("a"), ["a1", "a1", "a1", "a2"]);
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.handled, account.panicked, account.lost), (3, 2, 0));
}

// W4, W11
#[tokio::test(start_paused = true)]
async fn a_head_that_runs_past_its_deadline_is_not_overtaken() {
    let (queue, plan) = (fifo(), Plan::new());
    send(&queue, "a1 a2").await;
    let slow_at_first = async |plan: Plan, message: Message, context: Context| {
        let slow = message.body() == "a1" && plan.journal.tries("a1") < 2;
        let takes = if slow { seconds(100) } else { millis(10) };
        by_plan(plan.takes(takes), message, context).await
    };
    let running = Receiver::builder(queue.clone())
        .deadline(seconds(40))
        .handler(handler(slow_at_first).with(plan.clone()))
        .start();
    sleep(seconds(120)).await;
    assert_eq!(plan.journal.starts("a"), ["a1", "a1", "a1", "a2"]);
    plan.journal.assert_in_order(1);
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.handled, account.overran, account.lost), (2, 2, 0));
}

// W11: tries in place count
#[tokio::test(start_paused = true)]
async fn a_head_that_is_given_up_lets_the_next_follow() {
    let (queue, dead, plan) = (fifo(), fifo(), Plan::new().fails("a1", 99));
    send(&queue, "a1 a2 a3").await;
    let running = Receiver::builder(queue.clone())
        .attempts(3)
        .dead_letter(dead.clone())
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(30)).await;
    assert_eq!(plan.journal.starts("a"), ["a1", "a1", "a1", "a2", "a3"]);
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.handled, account.discarded, account.lost), (2, 1, 0));
    assert_eq!((dead.depth().await.unwrap().total(), queue.depth().await.unwrap().total()), (1, 0));
}

// W2, W11: two messages with one body are two messages elsewhere too
#[tokio::test(start_paused = true)]
async fn what_is_moved_to_an_ordered_retry_queue_keeps_its_group_and_is_no_duplicate() {
    let (queue, retry, plan) = (fifo(), fifo(), Plan::new().fails("a1", 99));
    for id in ["1", "2"] {
        let message = outgoing("a1").with_deduplication_id(id);
        queue.publish_one(message).await.unwrap();
    }
    send(&queue, "a2").await;
    let running = Receiver::builder(queue.clone())
        .retry_queue(retry.clone())
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(30)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.moved, account.handled), (2, 1));
    let moved = retry.receive(ReceiveOptions::new(10)).await.unwrap();
    assert_eq!(moved.len(), 2);
    assert!(moved.iter().all(|delivery| delivery.message().group_key() == Some("a")));
}

// W2, W11: while the retry queue does not take it, it is the head still
#[tokio::test(start_paused = true)]
async fn a_head_that_could_not_be_moved_is_not_overtaken() {
    let (queue, behind, plan) = (fifo(), fifo(), Plan::new().fails("a1", 99));
    let retry = Faulty::new(behind.clone(), |_, number| match number {
        0..4 => Fault::Error(QueueError::transient("throttled")),
        _ => Fault::None,
    });
    send(&queue, "a1 a2").await;
    let _running = Receiver::builder(queue.clone())
        .retry_queue(retry.clone())
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(60)).await;
    assert_eq!(plan.journal.starts("a"), ["a1", "a1", "a2"], "each move is tried four times");
    assert_eq!(retry.calls_of(CallKind::Publish).len(), 5);
}

// P10: those that waited are not renewed once they are settled, and not after they were given back
#[tokio::test(start_paused = true)]
async fn what_waited_behind_a_failed_head_is_not_renewed_for_ever() {
    let (queue, plan) = (fifo(), Plan::new().fails("a1", 5));
    let flaky = Faulty::new(queue.clone(), |_, _| Fault::None);
    send_group(&queue, "a", 10).await;
    let running = Receiver::builder(flaky.clone())
        .backoff(backoff(seconds(100)))
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(450)).await;
    let while_it_rests = flaky.calls_of(CallKind::ChangeVisibility).len();
    assert!(
        (25..=35).contains(&while_it_rests),
        "one call for ten messages, twice a timeout: {while_it_rests}"
    );
    sleep(seconds(100)).await;
    assert_eq!((running.account().handled, running.account().in_flight), (10, 0));
    let after = flaky.calls_of(CallKind::ChangeVisibility).len();
    sleep(seconds(3600)).await;
    assert_eq!(flaky.calls_of(CallKind::ChangeVisibility).len(), after);
}

// W9, W11: a group that waits for its head leaves room for others, also with little of it
#[tokio::test(start_paused = true)]
async fn a_group_that_waits_does_not_keep_others_from_being_received() {
    for (slots, prefetch) in [(1, None), (1, Some(0)), (10, Some(0)), (4, Some(3)), (10, None)] {
        let (queue, plan) = (fifo(), Plan::new().fails("a1", 99));
        send_group(&queue, "a", 30).await;
        let builder = Receiver::builder(queue.clone()).slots(slots).backoff(backoff(seconds(100)));
        let builder = if let Some(most) = prefetch { builder.prefetch(most) } else { builder };
        let _running = builder.handler(handler(by_plan).with(plan.clone())).start();
        sleep(seconds(10)).await;
        send(&queue, "b1 c1 b2").await;
        sleep(seconds(2)).await;
        let [b, c] = ["b", "c"].map(|group| plan.journal.starts(group).len());
        assert_eq!((b, c), (2, 1), "{slots} slots, prefetch {prefetch:?}");
    }
}

// W11
#[tokio::test(start_paused = true)]
async fn a_verdict_of_retry_after_is_kept_in_place() {
    let (queue, plan) = (fifo(), Plan::new());
    send(&queue, "a1 a2").await;
    let later = async |plan: Plan, message: Message, context: Context| {
        let first = plan.journal.tries(message.body()) == 0;
        by_plan(plan, message, context).await?;
        if first { Err(Verdict::retry_after(seconds(50), "later")) } else { Ok(()) }
    };
    let _running = Receiver::builder(queue.clone()).handler(handler(later).with(plan.clone())).start();
    sleep(seconds(200)).await;
    assert_eq!(plan.journal.starts("a"), ["a1", "a1", "a2", "a2"]);
    let starts = plan.journal.seconds("a1");
    assert!((starts[1] - starts[0] - 50.0).abs() < 0.1);
}
