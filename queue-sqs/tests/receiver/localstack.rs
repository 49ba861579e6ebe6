//! W4, W5, W7, W8 and W10 once more on `LocalStack`, with a proxy in between for what a network does.

use std::env;
use std::net::SocketAddr;
use std::time::Duration;

use harness::Proxy;
use queue_core::{Context, Depth, Inspect, Message, WorkerClass};
use queue_sqs::{SqsQueue, SqsQueueSettings};
use tokio::time::{Instant, sleep};
use uuid::Uuid;
use worker::{Receiver, handler};

use crate::client::client;
use crate::world::{Seen, depth, ms, note, publish, until};

/// How much longer than its wait a receive may take here.
const MARGIN: Duration = Duration::from_secs(1);

struct Place {
    proxy: Proxy,
    endpoint: String,
    name: String,
}

impl Place {
    async fn new() -> Self {
        let url = env::var("SQS_ENDPOINT_URL")
            .unwrap_or_else(|_| panic!("SQS_ENDPOINT_URL is not set; `cargo xtask test` sets it"));
        let upstream: SocketAddr = url.trim_start_matches("http://").parse().unwrap();
        let proxy = Proxy::start(upstream).await.unwrap();
        let endpoint = proxy.url(&url);
        Self { proxy, endpoint, name: format!("receiver-{}", Uuid::new_v4().simple()) }
    }

    /// The place's queue, whose messages stay hidden for so many seconds; made if it isn't there.
    async fn queue(&self, visibility: u64) -> SqsQueue {
        let settings = SqsQueueSettings::new().with_visibility(Duration::from_secs(visibility));
        let builder = SqsQueue::builder(client(&self.endpoint)).name(&self.name).create(settings);
        builder.receive_margin(MARGIN).build().await.unwrap()
    }

    async fn delete(&self, queue: &SqsQueue) {
        client(&self.endpoint).delete_queue().queue_url(queue.url()).send().await.unwrap();
    }
}

// W4, P8, P9
#[tokio::test]
#[ignore = "needs LocalStack: cargo xtask test"]
async fn jobs_ten_times_as_long_as_the_queues_own_visibility_timeout_are_delivered_once() {
    let (place, seen) = (Place::new().await, Seen::default());
    let main = place.queue(2).await;
    publish(&main, 10).await;
    let long = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        sleep(ms(20_000)).await;
    };
    let builder = Receiver::builder(main.clone()).slots(12).wait(ms(1_000));
    let running = builder.handler(handler(long).with(seen.clone())).start();
    until("all were handled", || running.account().handled == 10).await;
    let account = running.stop(ms(5_000)).await;
    assert_eq!((account.lost, account.renewals_lost, seen.count()), (0, 0, 10), "{account:?}");
    assert_eq!(depth(&main).await, Depth::empty());
}

// W5
#[tokio::test]
#[ignore = "needs LocalStack: cargo xtask test"]
async fn a_renewal_that_is_told_lost_tells_the_handler() {
    let (place, seen) = (Place::new().await, Seen::default());
    let main = place.queue(2).await;
    publish(&main, 1).await;
    let waits = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        context.cancelled().cancelled().await;
    };
    let running =
        Receiver::builder(main.clone()).wait(ms(1_000)).handler(handler(waits).with(seen.clone())).start();
    until("it runs", || seen.count() == 1).await;
    main.purge().await.unwrap();
    until("it was lost", || running.account().lost == 1).await;
    let account = running.stop(ms(5_000)).await;
    assert_eq!((account.renewals_lost, account.handled, seen.count()), (1, 0, 1), "{account:?}");
}

// W7, B5
#[tokio::test]
#[ignore = "needs LocalStack: cargo xtask test"]
async fn a_queue_that_is_missing_costs_few_calls_and_is_found_when_it_is_made_again() {
    let (place, seen) = (Place::new().await, Seen::default());
    let main = place.queue(2).await;
    place.delete(&main).await;
    let builder = Receiver::builder(main.clone()).pollers(WorkerClass::MAIN, 10).wait(ms(1_000));
    let running = builder.handler(handler(note).with(seen.clone())).start();
    sleep(ms(1_900)).await;
    // The pauses are 0.5, 1.5 and 4.5 s at least.
    let failed = running.account().failed_receives;
    assert!((1..=2).contains(&failed), "{failed}");
    let again = place.queue(2).await;
    publish(&again, 1).await;
    until("it was handled", || seen.count() == 1).await;
    running.stop(ms(5_000)).await;
    assert_eq!(depth(&again).await, Depth::empty());
}

// W7
#[tokio::test]
#[ignore = "needs LocalStack: cargo xtask test"]
async fn connections_that_are_refused_end_nothing() {
    let (place, seen) = (Place::new().await, Seen::default());
    let main = place.queue(2).await;
    publish(&main, 1).await;
    place.proxy.refuse();
    place.proxy.cut();
    let running =
        Receiver::builder(main.clone()).wait(ms(1_000)).handler(handler(note).with(seen.clone())).start();
    until("it failed", || running.account().failed_receives >= 1).await;
    assert_eq!(seen.count(), 0);
    place.proxy.pass();
    until("it was handled", || running.account().handled == 1).await;
    running.stop(ms(5_000)).await;
    assert_eq!((seen.count(), depth(&main).await), (1, Depth::empty()));
}

// W8, P24
#[tokio::test]
#[ignore = "needs LocalStack: cargo xtask test"]
async fn a_receive_that_is_never_answered_is_ended_and_polling_goes_on() {
    let (place, seen) = (Place::new().await, Seen::default());
    let main = place.queue(2).await;
    place.proxy.stall();
    let start = Instant::now();
    let running =
        Receiver::builder(main.clone()).wait(ms(1_000)).handler(handler(note).with(seen.clone())).start();
    until("it was ended", || running.account().failed_receives == 1).await;
    assert!(start.elapsed() >= ms(1_000) + MARGIN, "its wait and the margin: {:?}", start.elapsed());
    place.proxy.cut();
    place.proxy.pass();
    publish(&main, 1).await;
    until("it was handled", || running.account().handled == 1).await;
    running.stop(ms(5_000)).await;
    assert_eq!((seen.count(), depth(&main).await), (1, Depth::empty()));
}

// W10
#[tokio::test]
#[ignore = "needs LocalStack: cargo xtask test"]
async fn a_receive_in_flight_at_stop_is_awaited_and_hides_nothing() {
    let (place, seen) = (Place::new().await, Seen::default());
    let main = place.queue(30).await;
    let running =
        Receiver::builder(main.clone()).wait(ms(4_000)).handler(handler(note).with(seen.clone())).start();
    let sent = place.proxy.traffic();
    until("it waits", || place.proxy.traffic() != sent).await;
    let late = async {
        sleep(ms(500)).await; // the stop has begun
        publish(&main, 3).await;
    };
    let (account, ()) = tokio::join!(running.stop(ms(10_000)), late);
    let left = depth(&main).await;
    assert_eq!(account.received, account.handled + account.released, "{account:?}");
    assert_eq!((left.in_flight, left.visible + account.handled), (0, 3), "{account:?}");
}

// W10
#[tokio::test]
#[ignore = "needs LocalStack: cargo xtask test"]
async fn jobs_past_the_grace_are_aborted_and_visible_at_once() {
    let place = Place::new().await;
    let main = place.queue(30).await;
    publish(&main, 2).await;
    let never = async |_: Message, _: Context| std::future::pending::<()>().await;
    let running = Receiver::builder(main.clone()).slots(2).wait(ms(1_000)).handler(handler(never)).start();
    until("both began", || running.account().in_flight == 2).await;
    let account = running.stop(ms(200)).await;
    assert_eq!(
        (account.handled, account.orphaned, account.received),
        (0, 0, account.released),
        "{account:?}"
    );
    assert_eq!(depth(&main).await, Depth::new(2, 0, 0));
}
