//! Tests of the metered queue, on a paused clock.

use std::time::Duration;

use futures::future::{join_all, pending};
use tokio::time::{Instant, sleep, timeout};

use super::*;
use crate::{MasterGate, Message, OpenGate, Outcome, PollGate, Receipt, Settler, WorkerClass, WorkerName};

/// A queue that answers as its script says: how many messages a receive brings, and how many bytes each has.
#[derive(Clone, Copy, Debug)]
enum Script {
    Brings { messages: usize, bytes: usize },
    Fails,
    Hangs,
}

#[async_trait]
impl Publisher for Script {
    /// The first entry is refused, unless all are.
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        let fails = |number| number == 0 || matches!(self, Self::Fails);
        let answer = |(number, message)| {
            if fails(number) {
                return Err(Rejected::new(message, QueueError::permanent("refused")));
            }
            Ok(MessageId::new("id"))
        };
        batch.into_iter().enumerate().map(answer).collect()
    }

    fn limits(&self) -> Limits {
        Limits::default().with_batch(7)
    }
}

#[async_trait]
impl Consumer for Script {
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        match *self {
            Self::Fails => Err(QueueError::transient("refused")),
            Self::Hangs => pending().await,
            Self::Brings { messages, bytes } => {
                if messages == 0 {
                    sleep(options.wait).await;
                }
                let message = || Message::new(MessageId::new("id"), "x".repeat(bytes));
                let deliver = |_| Delivery::new(message(), Receipt::new("r"), Arc::new(*self));
                Ok((0..messages).map(deliver).collect())
            }
        }
    }

    fn receive_limits(&self) -> ReceiveLimits {
        ReceiveLimits::default().with_batch(7)
    }
}

#[async_trait]
impl Settler for Script {
    async fn delete(&self, batch: Vec<Receipt>) -> Vec<Result<(), QueueError>> {
        batch.iter().map(|_| Ok(())).collect()
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Vec<Result<(), QueueError>> {
        batch.iter().map(|_| Err(QueueError::lost("gone"))).collect()
    }

    fn abandon(&self, _receipt: Receipt) {}
}

#[async_trait]
impl Inspect for Script {
    async fn depth(&self) -> Result<Depth, QueueError> {
        Ok(Depth::empty())
    }

    async fn purge(&self) -> Result<(), QueueError> {
        Err(QueueError::transient("once a minute"))
    }
}

const EMPTY: Script = Script::Brings { messages: 0, bytes: 0 };

fn brings(messages: usize, bytes: usize) -> Metered<Script> {
    Metered::new(Script::Brings { messages, bytes })
}

/// What the receives of an idle hour come to: ten pollers at one gate.
async fn idle_hour(gate: impl PollGate) -> Calls {
    let (queue, hour) = (Metered::new(EMPTY), Duration::from_hours(1));
    let poll = |number| {
        let (queue, gate) = (&queue, &gate);
        async move {
            loop {
                let turn = gate.enter(&WorkerName::new(WorkerClass::MAIN, number)).await;
                let asked = Instant::now();
                let got = queue.receive(ReceiveOptions::new(10)).await.unwrap().len();
                turn.report(Outcome::Received { asked: 10, got, waited: asked.elapsed() });
            }
        }
    };
    let pollers = join_all((0..10).map(poll));
    assert!(timeout(hour.saturating_sub(Duration::from_millis(1)), pollers).await.is_err());
    queue.meter().calls()
}

// G6, G10
#[tokio::test(start_paused = true)]
async fn ten_pollers_begin_180_receives_in_an_idle_hour_with_a_gate_and_1800_without() {
    let (gated, open) = (idle_hour(MasterGate::new()).await, idle_hour(OpenGate).await);
    assert_eq!((gated.receive, open.receive), (180, 1_800));
    assert_eq!((gated.billed, open.billed), (180, 1_800));
    assert_eq!((gated.empty_receive, open.empty_receive), (179, 1_790));
}

// G10
#[tokio::test(start_paused = true)]
async fn a_receive_counts_when_it_begins_and_stays_counted_when_it_is_dropped() {
    let queue = Metered::new(Script::Hangs);
    assert!(timeout(Duration::from_secs(1), queue.receive(ReceiveOptions::default())).await.is_err());
    assert_eq!(queue.meter().calls(), Calls { receive: 1, billed: 1, ..Calls::default() });
}

#[tokio::test(start_paused = true)]
async fn a_failed_receive_is_neither_empty_nor_a_success() {
    let queue = Metered::new(Script::Fails);
    let error = queue.receive(ReceiveOptions::default()).await.unwrap_err();
    assert_eq!(error.message(), "refused");
    assert_eq!(queue.meter().calls(), Calls { receive: 1, failed_receive: 1, billed: 1, ..Calls::default() });
}

// G10, Q12
#[tokio::test(start_paused = true)]
async fn every_operation_is_counted_with_what_it_brought() {
    let queue = brings(3, 10);
    queue.publish(vec![Outgoing::new("a"); 5]).await;
    queue.publish(vec![Outgoing::new("a")]).await;
    let mut deliveries = queue.receive(ReceiveOptions::default()).await.unwrap();
    deliveries.pop().unwrap().ack().await.unwrap();
    assert!(deliveries.pop().unwrap().release(Duration::ZERO).await.is_err());
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
    assert!(queue.purge().await.is_err());
    drop(deliveries);
    let expected = Calls {
        publish: 2,
        published: 4,
        failed_publish: 1,
        receive: 1,
        received: 3,
        delete: 1,
        deleted: 1,
        change_visibility: 1,
        failed_change_visibility: 1,
        inspect: 2,
        failed_inspect: 1,
        abandoned: 1,
        billed: 7,
        ..Calls::default()
    };
    assert_eq!(queue.meter().calls(), expected);
    assert_eq!(expected.total(), 7);
}

// G10
#[tokio::test(start_paused = true)]
async fn each_64_kib_of_what_is_sent_or_returned_is_billed() {
    for (bytes, billed) in [(1, 1), (65_536, 1), (65_537, 2), (1_048_576, 16)] {
        let queue = brings(1, bytes);
        queue.publish(vec![Outgoing::new("x".repeat(bytes))]).await;
        assert_eq!(queue.meter().calls().billed, billed);
        drop(queue.receive(ReceiveOptions::default()).await);
        assert_eq!(queue.meter().calls().billed, 2 * billed);
    }
}

#[tokio::test(start_paused = true)]
async fn queues_that_share_a_meter_are_counted_together() {
    let meter = Meter::new();
    let (one, other) = (Metered::with_meter(EMPTY, meter.clone()), Metered::with_meter(EMPTY, meter.clone()));
    drop(one.receive(ReceiveOptions::default()).await);
    let before = meter.calls();
    drop(other.receive(ReceiveOptions::default()).await);
    let each = Calls { receive: 1, empty_receive: 1, billed: 1, ..Calls::default() };
    assert_eq!((before, meter.calls() - before, before + each), (each, each, meter.calls()));
    assert_eq!(before - meter.calls(), Calls::default());
}

#[test]
fn limits_pass_through() {
    let queue = Metered::new(EMPTY);
    assert_eq!((queue.limits().batch, queue.receive_limits().batch), (7, 7));
}

// G10
#[test]
fn a_month_of_one_idle_poller_costs_five_cents() {
    let month = Calls { receive: 129_600, empty_receive: 129_600, billed: 129_600, ..Calls::default() };
    let dollars = |prices: Prices| format!("{:.4}", prices.of(&month));
    assert_eq!(dollars(Prices::default()), "0.0518");
    assert_eq!(dollars(Prices::fifo()), "0.0648");
    assert_eq!(dollars(Prices::per_million(1.0)), "0.1296");
    assert_eq!(format!("{:.2}", Prices::standard().of_requests(1_000_000)), "0.40");
}

// G10
#[test]
fn advice_is_given_when_most_of_a_hundred_receives_were_empty() {
    let calls =
        |receive, empty_receive, received| Calls { receive, empty_receive, received, ..Calls::default() };
    assert_eq!(calls(99, 99, 0).advice(), None);
    assert_eq!(calls(100, 50, 50).advice(), None);
    let quiet = calls(1_800, 1_800, 0).advice().unwrap();
    assert!(
        quiet.starts_with("1800 of 1800 receives (100 %) brought nothing: the queue is quiet"),
        "{quiet}"
    );
    let crowded = calls(200, 150, 500).advice().unwrap();
    assert!(
        crowded.starts_with("150 of 200 receives (75 %) brought nothing: too many processes"),
        "{crowded}"
    );
}
