//! Receives whose answer is lost: they are repeated under their attempt id, so that no group stays blocked.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use queue_core::{
    Consumer, Delivery, Depth, Inspect, MasterGate, MemoryQueue, OpenGate, QueueError, ReceiveLimits,
    ReceiveOptions, WorkerClass,
};
use tokio::time::sleep;
use worker::{Receiver, handler};

use crate::journal::Event;
use crate::support::{Plan, by_plan, fifo, millis, seconds, send, send_group};
use testkit::{CallKind, Fault, Faulty};

// Q8, W11
#[tokio::test(start_paused = true)]
async fn a_receive_whose_answer_was_lost_is_repeated_and_its_messages_are_handled_at_once() {
    let (queue, plan) = (fifo(), Plan::new());
    let lose =
        |call, number| if call == CallKind::Receive && number == 0 { Fault::Lost } else { Fault::None };
    send(&queue, "a1 a2 b1").await;
    let running = Receiver::builder(Faulty::new(queue.clone(), lose))
        .slots(3)
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(10)).await;
    assert_eq!(plan.journal.all(Event::Done).len(), 3, "long before the timeout");
    assert!(plan.journal.all(Event::Started).iter().all(|entry| entry.receive_count == 1));
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.received, account.failed_receives, account.lost), (3, 1, 0));
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
}

// Q8, W8, W11: the second try does not reach the queue at all
#[tokio::test(start_paused = true)]
async fn the_id_is_kept_until_there_is_an_answer() {
    for second in [
        || Fault::Error(QueueError::transient("refused")),
        || Fault::Error(QueueError::indeterminate("reset")),
        || Fault::Hang,
        || Fault::Panic,
        || Fault::Lost,
    ] {
        let (queue, plan) = (fifo(), Plan::new());
        let lose = move |call, number| match (call, number) {
            (CallKind::Receive, 0) => Fault::Lost,
            (CallKind::Receive, 1) => second(),
            _ => Fault::None,
        };
        send(&queue, "a1 a2").await;
        let _running = Receiver::builder(Faulty::new(queue.clone(), lose))
            .visibility(seconds(200))
            .handler(handler(by_plan).with(plan.clone()))
            .start();
        sleep(seconds(100)).await;
        assert_eq!(plan.journal.all(Event::Done).len(), 2, "before the timeout");
        assert!(plan.journal.all(Event::Started).iter().all(|entry| entry.receive_count == 1));
    }
}

// Q8, W11: an id that the service does not take any longer is not asked for again
#[tokio::test(start_paused = true)]
async fn an_id_that_is_refused_is_given_up() {
    let (queue, plan) = (fifo(), Plan::new());
    let refuse = |call, number| match (call, number) {
        (CallKind::Receive, 0) => Fault::Lost,
        (CallKind::Receive, 1) => Fault::Error(QueueError::permanent("the attempt id is not valid anymore")),
        _ => Fault::None,
    };
    send(&queue, "a1").await;
    let running = Receiver::builder(Faulty::new(queue.clone(), refuse))
        .handler(handler(by_plan).with(plan.clone()))
        .start();
    sleep(seconds(60)).await;
    assert_eq!(plan.journal.all(Event::Done)[0].receive_count, 2, "at its timeout");
    assert_eq!(running.stop(seconds(1)).await.failed_receives, 2);
}

// Q8, W11: whoever polls next
#[tokio::test(start_paused = true)]
async fn with_many_pollers_behind_a_gate_a_lost_answer_is_repeated_before_the_timeout() {
    for (open, losses) in [(false, 1), (false, 3), (true, 1), (true, 3), (true, 5)] {
        let (queue, plan) = (fifo(), Plan::new());
        // A burst that opens the gate, so that others than the master poll; then answers get lost.
        send_group(&queue, "a", 40).await;
        let lose = move |call, number| match call {
            CallKind::Receive if (3..3 + losses).contains(&number) => Fault::Lost,
            _ => Fault::None,
        };
        let builder = Receiver::builder(Faulty::new(queue.clone(), lose))
            .pollers(WorkerClass::MAIN, 5)
            .visibility(seconds(600))
            .slots(5);
        let builder = if open { builder.gate(OpenGate) } else { builder.gate(MasterGate::new()) };
        let _running = builder.handler(handler(by_plan).with(plan.clone())).start();
        for group in ["b", "c", "d", "e", "f"] {
            send_group(&queue, group, 3).await;
            sleep(seconds(7)).await;
        }
        sleep(seconds(200)).await;
        assert_eq!(plan.journal.all(Event::Done).len(), 55, "open {open}, {losses} lost");
        plan.journal.assert_in_order(1);
    }
}

/// Takes messages and never answers, once: the receive of that number.
#[derive(Debug)]
struct Swallow {
    queue: MemoryQueue,
    receives: AtomicUsize,
    which: usize,
}

#[async_trait]
impl Consumer for Swallow {
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        let number = self.receives.fetch_add(1, Ordering::Relaxed);
        sleep(millis(5)).await;
        let deliveries = self.queue.receive(options).await?;
        if number != self.which {
            return Ok(deliveries);
        }
        assert!(!deliveries.is_empty());
        deliveries.into_iter().for_each(Delivery::forget);
        std::future::pending().await
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.queue.receive_limits()
    }
}

// Q8, G5, W8, W11: the gate closes before the poller that lost the answer can repeat it
#[tokio::test(start_paused = true)]
async fn a_lost_answer_is_repeated_by_another_poller_if_its_own_has_to_wait_at_the_gate() {
    for which in 0..3 {
        let (queue, plan) = (fifo(), Plan::new());
        let swallow = Swallow { queue: queue.clone(), receives: AtomicUsize::new(0), which };
        let bodies: Vec<_> = ('a'..='z').map(|group| format!("{group}1")).collect();
        send(&queue, &bodies.join(" ")).await;
        let _running = Receiver::builder(swallow)
            .pollers(WorkerClass::MAIN, 2)
            .visibility(seconds(600))
            .slots(26)
            .handler(handler(by_plan).with(plan.clone()))
            .start();
        sleep(seconds(100)).await;
        assert_eq!(plan.journal.all(Event::Done).len(), 26, "receive {which} is swallowed");
    }
}
