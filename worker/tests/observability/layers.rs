//! Handlers behind `tower` layers.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::{Arc, Mutex};
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;

use queue_core::{
    Context, Handler, MemoryQueue, Message, MessageId, Outgoing, PublisherExt, Verdict, handler,
};
use tokio::time::{Instant, sleep};
use tower::{Service, ServiceBuilder, ServiceExt};
use worker::Receiver;
use worker::tower::{from_service, service};

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn message() -> (Message, Context) {
    let message = Message::new(MessageId::new("1"), "x");
    (message.clone(), Context::detached(message))
}

async fn takes_ten_seconds(_message: Message, _context: Context) {
    sleep(seconds(10)).await;
}

async fn run<H: Handler<Message>>(handler: &H) -> Verdict {
    let (message, context) = message();
    handler.handle(message, context).await
}

// W3
#[tokio::test(start_paused = true)]
async fn a_timeout_keeps_the_message() {
    let layered = ServiceBuilder::new().timeout(seconds(3)).service(service(takes_ten_seconds));
    let layered = from_service(layered);
    let started = Instant::now();
    assert_eq!(run(&layered).await, Verdict::retry("request timed out"));
    assert_eq!(started.elapsed(), seconds(3));
}

#[tokio::test(start_paused = true)]
async fn a_verdict_goes_through_layers_as_it_is() {
    let discards = async |_: Message, _: Context| Verdict::discard("no such account");
    let layered = ServiceBuilder::new().timeout(seconds(3)).concurrency_limit(1).service(service(discards));
    assert_eq!(run(&from_service(layered)).await, Verdict::discard("no such account"));
}

#[tokio::test(start_paused = true)]
async fn a_concurrency_limit_is_shared_by_all_slots() {
    let queue = MemoryQueue::new();
    queue.publish_all(vec![Outgoing::new("x"); 8]).await;
    let layered = ServiceBuilder::new().concurrency_limit(2).service(service(takes_ten_seconds));
    let running = Receiver::builder(queue).slots(8).handler(from_service(layered)).start();
    let mut handled = Vec::new();
    sleep(seconds(1)).await;
    for _ in 0..4 {
        sleep(seconds(10)).await;
        handled.push(running.account().handled);
    }
    assert_eq!(handled, [2, 4, 6, 8]);
    running.stop(Duration::ZERO).await;
}

// W4: a handler past its deadline gives its permit back
#[tokio::test(start_paused = true)]
async fn a_handler_that_is_dropped_frees_its_place() {
    let queue = MemoryQueue::new();
    queue.publish_all(vec![Outgoing::new("x"); 2]).await;
    let hangs = async |_: Message, context: Context| match context.receive_count() {
        1 => std::future::pending().await,
        _ => sleep(seconds(1)).await,
    };
    let layered = ServiceBuilder::new().concurrency_limit(1).service(service(hangs));
    let running =
        Receiver::builder(queue).slots(2).deadline(seconds(5)).handler(from_service(layered)).start();
    sleep(seconds(60)).await;
    assert_eq!(running.account().handled, 2);
    running.stop(Duration::ZERO).await;
}

// W3
#[tokio::test(start_paused = true)]
async fn a_shed_load_keeps_the_message() {
    let layered = ServiceBuilder::new().load_shed().concurrency_limit(1).service(service(takes_ten_seconds));
    let layered = from_service(layered);
    let (first, second) = tokio::join!(run(&layered), run(&layered));
    assert_eq!((first, second), (Verdict::Done, Verdict::retry("service overloaded")));
}

type Order = Arc<Mutex<Vec<&'static str>>>;

async fn note(order: Order, _message: Message, _context: Context) {
    order.lock().unwrap().push("handler");
}

#[tokio::test(start_paused = true)]
async fn the_first_layer_is_the_outermost() {
    let order = Order::default();
    let noting = |name| {
        let order = Arc::clone(&order);
        move |request: (Message, Context)| {
            order.lock().unwrap().push(name);
            request
        }
    };
    let layered = ServiceBuilder::new()
        .map_request(noting("outer"))
        .map_request(noting("inner"))
        .service(service(handler(note).with(Arc::clone(&order))));
    assert_eq!(run(&from_service(layered)).await, Verdict::Done);
    assert_eq!(*order.lock().unwrap(), ["outer", "inner", "handler"]);
}

/// A service that must be awaited until it is ready, each clone for itself, before each call.
#[derive(Debug, Default)]
struct Strict {
    asked: u32,
}

impl Clone for Strict {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Service<(Message, Context)> for Strict {
    type Response = ();
    type Error = Infallible;
    type Future = Ready<Result<(), Infallible>>;

    fn poll_ready(&mut self, cx: &mut TaskContext<'_>) -> Poll<Result<(), Infallible>> {
        self.asked += 1;
        if self.asked < 3 {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _request: (Message, Context)) -> Self::Future {
        assert!(self.asked >= 3, "called before it was ready");
        self.asked = 0;
        ready(Ok(()))
    }
}

#[tokio::test(start_paused = true)]
async fn readiness_is_awaited_before_each_call() {
    let strict = from_service(Strict::default());
    for _ in 0..3 {
        assert_eq!(run(&strict).await, Verdict::Done);
    }
}

/// Services needn't be `Sync`.
#[tokio::test(start_paused = true)]
async fn a_boxed_service_is_a_handler() {
    let boxed = ServiceBuilder::new().service(service(takes_ten_seconds)).boxed_clone();
    let queue = MemoryQueue::new();
    queue.publish_one(Outgoing::new("x")).await.unwrap();
    let running = Receiver::builder(queue).handler(from_service(boxed)).start();
    sleep(seconds(11)).await;
    assert_eq!(running.stop(Duration::ZERO).await.handled, 1);
}
