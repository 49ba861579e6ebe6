//! Health: what a service's probe says.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use queue_core::{
    Consumer, Context, Delivery, MemoryQueue, Message, Outgoing, PollGate, PublisherExt, QueueError,
    ReceiveLimits, ReceiveOptions, Turn, WorkerClass, WorkerName, async_trait,
};
use tokio::time::sleep;
use worker::{Receiver, ReceiverBuilder};

/// A memory queue whose receives can be made to fail, or to hang.
#[derive(Clone, Default)]
pub(crate) struct Broken {
    pub(crate) queue: MemoryQueue,
    fault: Arc<Mutex<Fault>>,
}

#[derive(Clone, Default)]
enum Fault {
    #[default]
    None,
    Error(QueueError),
    Hang,
}

impl Broken {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn fail(&self, error: Option<QueueError>) {
        *self.fault.lock().unwrap() = error.map_or(Fault::None, Fault::Error);
    }

    fn hang(&self) {
        *self.fault.lock().unwrap() = Fault::Hang;
    }
}

impl fmt::Debug for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Broken")
    }
}

#[async_trait]
impl Consumer for Broken {
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        let fault = self.fault.lock().unwrap().clone();
        match fault {
            Fault::None => self.queue.receive(options).await,
            Fault::Error(error) => Err(error),
            Fault::Hang => std::future::pending().await,
        }
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.queue.receive_limits()
    }
}

fn builder(queue: &Broken) -> ReceiverBuilder {
    Receiver::builder(queue.clone()).pollers(WorkerClass::MAIN, 3)
}

async fn nothing(_message: Message, _context: Context) {}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

// W7
#[tokio::test(start_paused = true)]
async fn a_receiver_whose_receives_all_fail_is_unhealthy_after_a_while_and_recovers() {
    let queue = Broken::new();
    let running = builder(&queue).handler(nothing).start();
    sleep(seconds(30)).await;
    queue.fail(Some(QueueError::transient("connection refused")));
    sleep(seconds(60)).await;
    assert_eq!(running.health().to_string(), "healthy: receives have begun to fail");
    sleep(seconds(60)).await;
    let health = running.health();
    let text = health.to_string();
    assert!(text.starts_with("unhealthy: every receive has failed for"), "{text}");
    assert!(text.ends_with("the last with transient: connection refused"), "{text}");
    let errors: u32 = health.pollers.iter().map(|poller| poller.consecutive_errors).sum();
    assert!((4..=12).contains(&errors), "{errors}");
    queue.fail(None);
    sleep(seconds(120)).await; // the longest pause, with its jitter
    assert_eq!(running.health().to_string(), "healthy: no receive fails");
    let kept = running.health().pollers.into_iter().find_map(|poller| poller.last_error).unwrap();
    assert_eq!(kept.to_string(), "transient: connection refused");
    running.stop(Duration::ZERO).await;
}

#[tokio::test(start_paused = true)]
async fn how_long_receives_may_fail_can_be_set() {
    let queue = Broken::new();
    queue.fail(Some(QueueError::permanent("no such queue")));
    let running = builder(&queue).unhealthy_after(seconds(5)).handler(nothing).start();
    sleep(seconds(4)).await;
    assert!(running.health().healthy);
    sleep(seconds(2)).await;
    assert!(!running.health().healthy, "{:#}", running.health());
    running.stop(Duration::ZERO).await;
}

// G1
#[tokio::test(start_paused = true)]
async fn pollers_that_wait_at_a_closed_gate_are_healthy() {
    let running = builder(&Broken::new()).handler(nothing).start();
    sleep(Duration::from_hours(10)).await;
    let health = running.health();
    assert!(health.healthy, "{health}");
    let polled: Vec<bool> = health.pollers.iter().map(|poller| poller.last_success.is_some()).collect();
    assert_eq!(polled, [true, false, false]);
    assert_eq!(format!("{health:#}").lines().nth(2), Some("worker.main.1: waiting"));
    running.stop(Duration::ZERO).await;
}

// W8: a poll that hangs fails by its deadline, 25 s after it was sent
#[tokio::test(start_paused = true)]
async fn a_queue_that_never_answers_is_an_illness() {
    let queue = Broken::new();
    queue.hang();
    let running = builder(&queue).handler(nothing).start();
    sleep(seconds(60)).await;
    assert!(running.health().healthy);
    sleep(seconds(50)).await;
    let text = running.health().to_string();
    assert!(text.contains("indeterminate: no answer to a receive within 25s"), "{text}");
    running.stop(Duration::ZERO).await;
}

#[tokio::test(start_paused = true)]
async fn one_poll_under_way_that_may_yet_succeed_is_enough() {
    let queue = Broken::new();
    let running =
        builder(&queue).gate(queue_core::OpenGate).unhealthy_after(seconds(5)).handler(nothing).start();
    sleep(seconds(22)).await; // three polls are under way
    queue.fail(Some(QueueError::transient("refused")));
    queue.queue.publish_one(Outgoing::new("ends one of them")).await.unwrap();
    sleep(seconds(12)).await;
    let health = running.health();
    let failing = health.pollers.iter().filter(|poller| poller.consecutive_errors > 0).count();
    assert_eq!((health.healthy, failing), (true, 1), "{health:#}");
    running.stop(Duration::ZERO).await;
}

// W10
#[tokio::test(start_paused = true)]
async fn a_receiver_is_healthy_while_it_drains_and_unhealthy_once_it_has_stopped() {
    let queue = Broken::new();
    queue.queue.publish_one(Outgoing::new("x")).await.unwrap();
    let slow = async |_: Message, _: Context| sleep(seconds(10)).await;
    let running = builder(&queue).handler(slow).start();
    let probe = running.probe();
    sleep(seconds(1)).await;
    running.stop_token().cancel();
    sleep(seconds(1)).await;
    assert_eq!(probe.health().to_string(), "healthy: it is stopping");
    running.stop(seconds(20)).await;
    assert_eq!(probe.health().to_string(), "unhealthy: it has stopped");
}

/// Panics when the second poller enters.
#[derive(Debug)]
struct Faulty;

#[async_trait]
impl PollGate for Faulty {
    async fn enter(&self, who: &WorkerName) -> Turn {
        assert_ne!(who.number(), 1, "a bug in a gate");
        Turn::new(|_outcome| {})
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_that_died_is_an_illness() {
    let running = builder(&Broken::new()).gate(Faulty).handler(nothing).start();
    sleep(seconds(1)).await;
    assert_eq!(running.health().to_string(), "unhealthy: died: worker.main.1");
    running.stop(Duration::ZERO).await;
}
