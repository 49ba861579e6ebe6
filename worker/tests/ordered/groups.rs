//! Groups without failures: in order, side by side, and without gaps.

use queue_core::{Context, Depth, Inspect, MemoryQueue, Message, Verdict, WorkerClass};
use tokio::time::sleep;
use worker::{Receiver, handler};

use crate::journal::Event;
use crate::support::{Plan, by_plan, fifo, millis, seconds, send, send_group};

// W11
#[tokio::test(start_paused = true)]
async fn each_group_is_handled_one_by_one_in_order_and_groups_side_by_side() {
    let (queue, plan) = (fifo(), Plan::new().takes(seconds(1)));
    for group in ["a", "b", "c", "d"] {
        send_group(&queue, group, 8).await;
    }
    let running = Receiver::builder(queue.clone())
        .pollers(WorkerClass::MAIN, 3)
        .slots(8)
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(20)).await;
    plan.journal.assert_in_order(1);
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.received, account.handled, account.lost), (32, 32, 0));
    let last = plan.journal.all(Event::Done).last().unwrap().at;
    assert!(last < seconds(12), "four groups at once take as long as one: {last:?}");
}

// W11, P43: the next of a group starts as soon as its head is deleted
#[tokio::test(start_paused = true)]
async fn there_is_no_gap_between_two_messages_of_a_group() {
    let (queue, plan) = (fifo(), Plan::new().takes(millis(100)));
    send_group(&queue, "a", 30).await;
    let _running = Receiver::builder(queue.clone())
        .pollers(WorkerClass::MAIN, 2)
        .slots(4)
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(10)).await;
    let starts: Vec<_> = plan.journal.all(Event::Started).iter().map(|entry| entry.at.as_millis()).collect();
    assert_eq!(starts.len(), 30);
    for pair in starts.windows(2) {
        assert!(pair[1] <= pair[0] + 107, "{pair:?} ms");
    }
}

// W11: a slow group holds up none
#[tokio::test(start_paused = true)]
async fn a_slow_message_holds_up_its_own_group_only() {
    let (queue, plan) = (fifo(), Plan::new());
    send(&queue, "a1 a2 b1 b2 b3").await;
    let slow = async |plan: Plan, message: Message, context: Context| {
        let takes = if message.body() == "a1" { seconds(100) } else { millis(10) };
        by_plan(plan.takes(takes), message, context).await
    };
    let _running =
        Receiver::builder(queue.clone()).slots(2).handler(handler(slow).with(plan.clone())).start();
    sleep(seconds(1)).await;
    assert_eq!(plan.journal.starts("b"), ["b1", "b2", "b3"]);
    assert_eq!(plan.journal.starts("a"), ["a1"]);
    sleep(seconds(100)).await;
    assert_eq!(plan.journal.starts("a"), ["a1", "a2"]);
}

// W11: a hot group takes one slot at a time
#[tokio::test(start_paused = true)]
async fn a_hot_group_starves_no_other() {
    let (queue, plan) = (fifo(), Plan::new().takes(millis(100)));
    send_group(&queue, "a", 500).await;
    for group in ["b", "c", "d", "e"] {
        send_group(&queue, group, 5).await;
    }
    let _running = Receiver::builder(queue.clone())
        .pollers(WorkerClass::MAIN, 2)
        .slots(4)
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(10)).await;
    for group in ["b", "c", "d", "e"] {
        assert_eq!(plan.journal.starts(group).len(), 5, "{group}");
    }
    plan.journal.assert_in_order(1);
}

async fn batch_by_plan(plan: Plan, batch: Vec<(Message, Context)>) -> Vec<Verdict> {
    let mut groups: Vec<_> = batch.iter().map(|(message, _)| message.group_key().unwrap()).collect();
    groups.sort_unstable();
    let count = groups.len();
    groups.dedup();
    assert_eq!(groups.len(), count, "one of each group at most");
    let handled = batch.into_iter().map(|(message, context)| by_plan(plan.clone(), message, context));
    let answers = futures::future::join_all(handled).await;
    answers.into_iter().map(|answer| answer.err().unwrap_or(Verdict::Done)).collect()
}

/// A batch handler of the plan.
#[derive(Debug)]
struct ByPlan(Plan);

#[async_trait::async_trait]
impl queue_core::BatchHandler<Message> for ByPlan {
    async fn handle(&self, batch: Vec<(Message, Context)>) -> Vec<Verdict> {
        batch_by_plan(self.0.clone(), batch).await
    }
}

// W11
#[tokio::test(start_paused = true)]
async fn a_batch_has_one_of_each_group_at_most_and_fails_one_by_one() {
    let (queue, plan) = (fifo(), Plan::new().fails("b1", 2));
    for group in ["a", "b", "c"] {
        send_group(&queue, group, 10).await;
    }
    let running = Receiver::builder(queue.clone())
        .pollers(WorkerClass::MAIN, 3)
        .slots(2)
        .batch_handler(10, ByPlan(plan.clone()))
        .start();
    sleep(seconds(60)).await;
    plan.journal.assert_in_order(1);
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.handled, account.panicked, account.retried), (30, 0, 2));
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
}

// W11: what was published while its group was held comes behind
#[tokio::test(start_paused = true)]
async fn messages_that_arrive_while_their_group_is_held_come_behind() {
    let (queue, plan) = (fifo(), Plan::new().fails("a1", 2).takes(millis(300)));
    send(&queue, "a1 a2").await;
    let _running = Receiver::builder(queue.clone())
        .pollers(WorkerClass::MAIN, 2)
        .slots(4)
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    for body in ["a3", "a4", "a5", "a6"] {
        sleep(seconds(1)).await;
        send(&queue, body).await;
    }
    sleep(seconds(30)).await;
    plan.journal.assert_in_order(1);
    assert_eq!(plan.journal.all(Event::Done).len(), 6);
}

// W11: a standard queue's groups mark tenants and order nothing
#[tokio::test(start_paused = true)]
async fn on_a_standard_queue_groups_hold_up_nobody() {
    let (queue, plan) = (MemoryQueue::new(), Plan::new().takes(seconds(1)));
    let messages = (1..=4).map(|n| queue_core::Outgoing::new(format!("a{n}")).with_group_key("a")).collect();
    queue_core::Publisher::publish(&queue, messages).await;
    let _running =
        Receiver::builder(queue.clone()).slots(4).handler(handler(by_plan).with(plan.clone())).start();
    sleep(millis(500)).await;
    assert_eq!(plan.journal.starts("a").len(), 4);
}
