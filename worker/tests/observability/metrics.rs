//! Metrics: the endpoint of a whole service, and each number by itself on a paused clock.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use queue_core::{
    CancellationToken, Context, MemoryQueue, Message, Metered, Outgoing, PublisherExt, QueueError, Verdict,
};
use tokio::task::JoinSet;
use tokio::time::sleep;
use worker::metrics::MeterExport;
use worker::{Account, Receiver, ReceiverBuilder, Running};

use crate::health::Broken;
use crate::prometheus::{Page, free_address};
use crate::service::{self, Visit};

const VISITS: [(&str, &str); 1] = [("queue", "visits")];

fn settled(page: &Page, queue: (&str, &str), outcome: &str) -> u64 {
    page.count("worker_messages_settled_total", &[queue, ("outcome", outcome)])
}

/// The recorder is the process's, so other tests have other names.
const SHOP: [(&str, &str); 1] = [("queue", "shop")];

/// The service of README at work: three visits go well, one fails and one panics at first, one is no JSON.
async fn work(queue: &Metered<MemoryQueue>) -> Running {
    let running = service::start("shop", queue.clone());
    for sid in ["7f", "80", "81", "fails-once", "panics-once"] {
        queue.publish_json(&Visit::of(sid)).await.unwrap();
    }
    queue.publish_one(Outgoing::new("no JSON")).await.unwrap();
    let is_done = |account: Account| account.handled == 5 && account.discarded == 1;
    while !is_done(running.account()) {
        sleep(Duration::from_millis(10)).await;
    }
    running
}

// G10, Q12
#[tokio::test]
async fn a_service_shows_its_metrics_on_a_prometheus_endpoint() {
    let address = free_address();
    PrometheusBuilder::new().with_http_listener(address).with_recommended_naming(true).install().unwrap();
    let queue = Metered::new(MemoryQueue::new());
    let stop = CancellationToken::new();
    let export = MeterExport::new("shop", queue.meter());
    let export = JoinSet::from_iter([export.run(Duration::from_millis(50), stop.clone())]);
    let running = work(&queue).await;
    sleep(Duration::from_millis(100)).await;

    let page = Page::fetch(address).await;
    shows_what_became_of_messages(&page);
    shows_calls(&page);
    assert_eq!(page.count("worker_poller_consecutive_errors", &[SHOP[0], ("poller", "worker.main.0")]), 0);
    assert!(page.0.contains("# HELP worker_messages_settled_total What became of messages, by outcome."));

    stop.cancel();
    export.join_all().await;
    running.stop(Duration::from_secs(1)).await;
}

fn shows_what_became_of_messages(page: &Page) {
    let count = |name| page.count(name, &SHOP);
    assert_eq!(count("messaging_client_consumed_messages_total"), 8, "six, and two of them again");
    let outcomes = ["handled", "retried", "discarded", "lost", "orphaned", "moved", "released"];
    assert_eq!(outcomes.map(|outcome| settled(page, SHOP[0], outcome)), [5, 2, 1, 0, 0, 0, 0]);
    assert_eq!((count("worker_messages_panicked_total"), count("worker_messages_overran_total")), (1, 0));
    assert_eq!((count("worker_messages_in_flight"), count("worker_messages_buffered")), (0, 0));
    assert_eq!(count("messaging_process_duration_seconds_count"), 8);
    assert_eq!(count("worker_messages_age_seconds_count"), 8);
    assert!(page.value("worker_messages_age_seconds_sum", &SHOP) < 8.0);
}

fn shows_calls(page: &Page) {
    let calls = |operation| page.count("queue_calls_total", &[SHOP[0], ("operation", operation)]);
    assert_eq!(calls("publish"), 6);
    assert!(calls("receive") >= 3 && calls("delete") >= 1 && calls("change_visibility") >= 1);
    assert_eq!(page.count("messaging_client_sent_messages_total", &SHOP), 6);
    assert_eq!(page.count("queue_deliveries_abandoned_total", &SHOP), 0);
}

/// Starts a receiver whose metrics a recorder of its own shows.
fn start(
    queue: impl queue_core::Consumer + 'static,
    build: impl FnOnce(ReceiverBuilder) -> Receiver,
) -> (Running, PrometheusHandle) {
    let recorder = PrometheusBuilder::new().with_recommended_naming(true).build_recorder();
    let receiver = build(Receiver::builder(queue).name("visits"));
    let running = ::metrics::with_local_recorder(&recorder, || receiver.start());
    (running, recorder.handle())
}

fn count(handle: &PrometheusHandle, name: &str) -> u64 {
    Page(handle.render()).count(name, &VISITS)
}

fn value(handle: &PrometheusHandle, name: &str) -> f64 {
    Page(handle.render()).value(name, &VISITS)
}

async fn takes_a_minute(_message: Message, _context: Context) {
    sleep(Duration::from_mins(1)).await;
}

async fn publish(queue: &MemoryQueue, count: usize) {
    queue.publish_all(vec![Outgoing::new("x"); count]).await;
}

#[tokio::test(start_paused = true)]
async fn gauges_tell_what_is_in_flight_and_what_waits_and_go_back_to_zero() {
    let queue = MemoryQueue::new();
    publish(&queue, 5).await;
    let (running, handle) = start(queue, |builder| builder.slots(2).handler(takes_a_minute));
    sleep(Duration::from_secs(1)).await;
    let levels =
        |handle| (count(handle, "worker_messages_in_flight"), count(handle, "worker_messages_buffered"));
    assert_eq!(levels(&handle), (5, 3));
    let account = running.account();
    assert_eq!((account.in_flight, account.buffered), (5, 3));
    sleep(Duration::from_secs(61)).await;
    assert_eq!(levels(&handle), (3, 1));
    running.stop(Duration::ZERO).await;
    assert_eq!(levels(&handle), (0, 0));
    assert_eq!(settled(&Page(handle.render()), VISITS[0], "released"), 3);
}

#[tokio::test(start_paused = true)]
async fn the_age_of_a_message_is_counted_from_when_it_was_sent() {
    let queue = MemoryQueue::new();
    let (running, handle) = start(queue.clone(), |builder| builder.handler(takes_a_minute));
    queue.publish_one(Outgoing::new("x").with_delay(Duration::from_secs(90))).await.unwrap();
    sleep(Duration::from_secs(160)).await;
    let age = value(&handle, "worker_messages_age_seconds_sum");
    assert!((90.0..90.1).contains(&age), "{age}");
    let took = value(&handle, "messaging_process_duration_seconds_sum");
    assert!((60.0..60.1).contains(&took), "{took}");
    running.stop(Duration::ZERO).await;
}

// W4
#[tokio::test(start_paused = true)]
async fn runs_past_the_deadline_and_renewals_are_counted() {
    let queue = MemoryQueue::new();
    publish(&queue, 1).await;
    let deadline = Duration::from_secs(40);
    let (running, handle) = start(queue, |builder| builder.deadline(deadline).handler(takes_a_minute));
    sleep(Duration::from_secs(41)).await;
    assert_eq!(count(&handle, "worker_messages_overran_total"), 1);
    assert!(count(&handle, "worker_renewals_total") >= 2);
    assert_eq!(count(&handle, "worker_renewals_lost_total"), 0);
    running.stop(Duration::ZERO).await;
}

// W5
#[tokio::test(start_paused = true)]
async fn a_renewal_that_finds_its_message_lost_is_counted() {
    let queue = MemoryQueue::new();
    publish(&queue, 1).await;
    let (running, handle) = start(queue.clone(), |builder| builder.handler(takes_a_minute));
    sleep(Duration::from_secs(1)).await;
    queue_core::Inspect::purge(&queue).await.unwrap();
    sleep(Duration::from_secs(62)).await;
    assert_eq!(count(&handle, "worker_renewals_lost_total"), 1);
    assert_eq!(running.account().renewals_lost, 1);
    assert_eq!(settled(&Page(handle.render()), VISITS[0], "lost"), 1);
    running.stop(Duration::ZERO).await;
}

// W7
#[tokio::test(start_paused = true)]
async fn a_pollers_errors_and_its_last_success_are_shown() {
    let queue = Broken::new();
    let (running, handle) =
        start(queue.clone(), |builder| builder.handler(async |_: Message, _: Context| {}));
    sleep(Duration::from_secs(21)).await;
    queue.fail(Some(QueueError::transient("refused")));
    sleep(Duration::from_mins(1)).await;
    let poller = [VISITS[0], ("poller", "worker.main.0")];
    let page = Page(handle.render());
    let errors = page.count("worker_poller_consecutive_errors", &poller);
    assert!((3..=7).contains(&errors), "{errors}");
    assert_eq!(page.count("worker_poller_receives_failed_total", &poller), errors);
    let last = Duration::from_secs_f64(page.value("worker_poller_last_success_timestamp_seconds", &poller));
    let known = running.health().pollers[0].last_success.unwrap();
    let apart = |one: SystemTime, other: Duration| one.duration_since(UNIX_EPOCH).unwrap().abs_diff(other);
    assert!(apart(known, last) < Duration::from_millis(1));
    queue.fail(None);
    sleep(Duration::from_mins(2)).await;
    assert_eq!(Page(handle.render()).count("worker_poller_consecutive_errors", &poller), 0);
    running.stop(Duration::ZERO).await;
}

#[tokio::test(start_paused = true)]
async fn two_receivers_of_one_name_add_up() {
    let recorder = PrometheusBuilder::new().with_recommended_naming(true).build_recorder();
    let queue = MemoryQueue::new();
    publish(&queue, 2).await;
    let start = || {
        Receiver::builder(queue.clone()).name("visits").batch(1).prefetch(0).handler(takes_a_minute).start()
    };
    let both = ::metrics::with_local_recorder(&recorder, || [start(), start()]);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(count(&recorder.handle(), "worker_messages_in_flight"), 2);
    for running in both {
        running.stop(Duration::ZERO).await;
    }
    assert_eq!(count(&recorder.handle(), "worker_messages_in_flight"), 0);
}

// W3: what becomes of messages is counted once for each, whatever the handler says
#[tokio::test(start_paused = true)]
async fn a_discarded_message_counts_as_discarded() {
    let queue = MemoryQueue::new();
    publish(&queue, 3).await;
    let discard = async |_: Message, _: Context| Verdict::discard("no such account");
    let (running, handle) = start(queue, |builder| builder.handler(discard));
    sleep(Duration::from_secs(1)).await;
    assert_eq!(settled(&Page(handle.render()), VISITS[0], "discarded"), 3);
    assert_eq!(settled(&Page(handle.render()), VISITS[0], "handled"), 0);
    running.stop(Duration::ZERO).await;
}
