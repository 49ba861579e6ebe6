//! Traces from a publisher to a handler.

use std::time::Duration;

use opentelemetry::trace::{SpanKind, Status};
use queue_core::{
    AttributeValue, Attributes, BatchHandler, Coalesced, Consumer, Context, MemoryQueue, Message, Metered,
    Outgoing, PublisherExt, ReceiveOptions, Verdict, async_trait,
};
use tokio::time::sleep;
use tracing::{Instrument, info_span};
use worker::Receiver;
use worker::trace_context::Traced;

use crate::service::{self, Visit};
use crate::spans::{Spans, attribute, is_root};

const FOREIGN: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

#[tokio::test]
async fn a_trace_goes_from_publish_to_handler() {
    let spans = Spans::collect();
    let queue = Traced::new("visits", Coalesced::new(Metered::new(MemoryQueue::new()))).with_system("memory");
    let running = service::start("visits", queue.clone());
    queue.publish_json(&Visit::of("7f")).instrument(info_span!("request")).await.unwrap();

    let (request, publish) = (spans.one("request").await, spans.one("publish visits").await);
    let (process, score) = (spans.one("process visits").await, spans.one("score").await);
    let trace = request.span_context.trace_id();
    assert_eq!(publish.parent_span_id, request.span_context.span_id());
    assert_eq!(process.parent_span_id, publish.span_context.span_id());
    assert_eq!(process.links[0].span_context.span_id(), publish.span_context.span_id());
    assert!(process.parent_span_is_remote);
    assert_eq!(score.parent_span_id, process.span_context.span_id());
    let settle = spans.one("ack visits").await;
    assert_eq!(settle.parent_span_id, publish.span_context.span_id());
    assert!([publish, process, score, settle].iter().all(|span| span.span_context.trace_id() == trace));
    running.stop(Duration::from_secs(1)).await;
}

#[tokio::test]
async fn spans_have_the_names_fields_and_kinds_of_the_convention() {
    let spans = Spans::collect();
    let queue = Traced::new("visits", MemoryQueue::new()).with_system("memory");
    let running = service::start("visits", queue.clone());
    let id = queue.publish_json(&Visit::of("7f")).await.unwrap();
    for (name, kind, operation) in [
        ("publish visits", SpanKind::Producer, "send"),
        ("process visits", SpanKind::Consumer, "process"),
        ("ack visits", SpanKind::Client, "settle"),
        ("receive visits", SpanKind::Client, "receive"),
    ] {
        let span = if name == "receive visits" { spans.named(name).remove(0) } else { spans.one(name).await };
        assert_eq!(span.span_kind, kind, "{name}");
        let verb = name.split(' ').next().map(str::to_owned);
        assert_eq!(attribute(&span, "messaging.operation.name"), verb);
        assert_eq!(attribute(&span, "messaging.operation.type").as_deref(), Some(operation));
        assert_eq!(attribute(&span, "messaging.system").as_deref(), Some("memory"));
        assert_eq!(attribute(&span, "messaging.destination.name").as_deref(), Some("visits"));
        let message = (operation != "receive").then(|| id.to_string());
        assert_eq!(attribute(&span, "messaging.message.id"), message, "{name}");
        assert_eq!(attribute(&span, "messaging.batch.message_count"), None, "only of batches");
        assert_eq!(span.status, Status::Unset);
    }
    running.stop(Duration::from_secs(1)).await;
}

// W3
#[tokio::test]
async fn a_failed_run_is_an_error_in_its_trace() {
    let spans = Spans::collect();
    let queue = Traced::new("visits", MemoryQueue::new());
    let running = service::start("visits", queue.clone());
    queue.publish_json(&Visit::of("fails-once")).await.unwrap();
    spans.one("ack visits").await;
    let publish = spans.one("publish visits").await;
    let runs = spans.named("process visits");
    assert_eq!(runs[0].status, Status::error("the database is busy"));
    assert_eq!(attribute(&runs[0], "error.type").as_deref(), Some("retry"));
    assert_eq!(runs[1].status, Status::Unset);
    assert_eq!(attribute(&runs[1], "receive_count").as_deref(), Some("2"));
    assert!(runs.iter().all(|run| run.parent_span_id == publish.span_context.span_id()), "each of them");
    running.stop(Duration::from_secs(1)).await;
}

async fn nothing(_message: Message, _context: Context) {}

/// Publishes one message, and answers what a consumer receives.
async fn through(queue: &Traced<MemoryQueue>, message: Outgoing) -> Message {
    queue.publish_one(message).await.unwrap();
    let deliveries = queue.receive(ReceiveOptions::new(1)).await.unwrap();
    let message = deliveries[0].message().clone();
    for delivery in deliveries {
        delivery.ack().await.unwrap();
    }
    message
}

// Q11
#[tokio::test(start_paused = true)]
async fn without_room_a_message_goes_out_without_its_context() {
    let spans = Spans::collect();
    let queue = Traced::new("visits", MemoryQueue::new());
    let attributes: Attributes = (0..10).map(|n| (format!("a{n}"), AttributeValue::number(n))).collect();
    let full = through(&queue, Outgoing::new("x").with_attributes(attributes)).await;
    assert_eq!((full.attributes().len(), full.attributes().text("traceparent")), (10, None));
    let large = through(&queue, Outgoing::new("x".repeat(1_048_576))).await;
    assert!(large.attributes().is_empty());
    let roomy = through(&queue, Outgoing::new("x".repeat(1_048_576 - 72))).await;
    assert_eq!(roomy.size(), 1_048_576);
    assert_eq!(spans.named("publish visits").len(), 3);
}

// Q6, Q11: a full batch is not refused because of what tracing adds
#[tokio::test(start_paused = true)]
async fn a_full_batch_goes_out_with_as_many_contexts_as_have_room() {
    let _spans = Spans::collect();
    let queue = Traced::new("visits", MemoryQueue::new());
    let size = (1_048_576 - 3 * 72) / 10;
    let answers = queue.publish_all(vec![Outgoing::new("x".repeat(size)); 10]).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    let deliveries = queue.receive(ReceiveOptions::new(10)).await.unwrap();
    let traced = deliveries.iter().filter(|d| d.message().attributes().get("traceparent").is_some());
    assert_eq!(traced.count(), 3);
}

// Q6
#[tokio::test(start_paused = true)]
async fn a_refused_message_is_handed_back_as_it_came() {
    let spans = Spans::collect();
    let queue = Traced::new("visits", MemoryQueue::new());
    let message = Outgoing::new("x").with_delay(Duration::from_hours(1));
    let rejected = queue.publish_one(message.clone()).await.unwrap_err();
    assert_eq!(rejected.into_message(), message);
    let publish = spans.one("publish visits").await;
    assert_eq!(
        (attribute(&publish, "error.type").as_deref(), publish.status),
        (Some("permanent"), Status::error(""))
    );
}

#[tokio::test(start_paused = true)]
async fn a_malformed_or_foreign_context_is_ignored() {
    let spans = Spans::collect();
    let queue = MemoryQueue::new();
    let contexts = ["", "none", "00-0-0-01", &FOREIGN.replace("00-4", "ff-4"), &FOREIGN.to_uppercase()];
    let values = contexts.into_iter().filter(|text| !text.is_empty()).map(AttributeValue::from);
    let values: Vec<_> =
        values.chain([AttributeValue::binary([0, 255]), AttributeValue::number(7)]).collect();
    for value in &values {
        queue.publish_one(Outgoing::new("x").with_attribute("traceparent", value.clone())).await.unwrap();
    }
    let running = Receiver::builder(queue).name("visits").handler(nothing).start();
    sleep(Duration::from_secs(1)).await;
    let runs = spans.named("process visits");
    assert_eq!(runs.len(), values.len());
    assert!(runs.iter().all(|run| is_root(run) && run.links.is_empty()));
    assert_eq!(running.stop(Duration::ZERO).await.handled, values.len() as u64);
}

#[tokio::test(start_paused = true)]
async fn a_message_with_a_context_of_its_own_keeps_it() {
    let spans = Spans::collect();
    let queue = Traced::new("visits", MemoryQueue::new());
    let carried =
        Outgoing::new("x").with_attribute("traceparent", FOREIGN).with_attribute("tracestate", "a=b");
    queue.publish_one(carried).await.unwrap();
    let running = Receiver::builder(queue).name("visits").handler(nothing).start();
    let process = spans.one("process visits").await;
    assert_eq!(process.span_context.trace_id().to_string(), "4bf92f3577b34da6a3ce929d0e0e4736");
    assert_eq!(process.parent_span_id.to_string(), "00f067aa0ba902b7");
    assert_eq!(process.span_context.trace_state().get("a"), Some("b"));
    let publish = spans.one("publish visits").await;
    assert_eq!(publish.links[0].span_context.span_id().to_string(), "00f067aa0ba902b7");
    running.stop(Duration::ZERO).await;
}

// W1, W2: what is moved to another queue stays in its trace
#[tokio::test(start_paused = true)]
async fn a_moved_message_keeps_its_context() {
    let _spans = Spans::collect();
    let (main, retry) = (Traced::new("visits", MemoryQueue::new()), MemoryQueue::new());
    main.publish_one(Outgoing::new("x")).await.unwrap();
    let fails = async |_: Message, _: Context| Verdict::retry("not yet");
    let running = Receiver::builder(main).retry_queue(retry.clone()).handler(fails).start();
    let deliveries = retry.receive(ReceiveOptions::new(1)).await.unwrap();
    assert!(deliveries[0].message().attributes().text("traceparent").is_some());
    running.stop(Duration::ZERO).await;
}

struct All;

#[async_trait]
impl BatchHandler<Message> for All {
    async fn handle(&self, batch: Vec<(Message, Context)>) -> Vec<Verdict> {
        vec![Verdict::Done; batch.len()]
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_is_linked_to_each_of_its_messages() {
    let spans = Spans::collect();
    let queue = Traced::new("visits", MemoryQueue::new());
    for _ in 0..3 {
        queue.publish_one(Outgoing::new("x")).await.unwrap();
    }
    let running = Receiver::builder(queue).name("visits").batch_handler(10, All).start();
    let process = spans.one("process visits").await;
    assert!(is_root(&process));
    let mut linked: Vec<_> = process.links.iter().map(|link| link.span_context.span_id()).collect();
    let mut published: Vec<_> =
        spans.named("publish visits").iter().map(|span| span.span_context.span_id()).collect();
    linked.sort_by_key(ToString::to_string);
    published.sort_by_key(ToString::to_string);
    assert_eq!(linked, published);
    assert_eq!(attribute(&process, "messaging.batch.message_count").as_deref(), Some("3"));
    assert_eq!(attribute(&process, "messaging.message.id"), None, "only of single messages");
    running.stop(Duration::ZERO).await;
}

#[tokio::test(start_paused = true)]
async fn without_a_tracer_nothing_is_added() {
    let queue = Traced::new("visits", MemoryQueue::new());
    assert!(through(&queue, Outgoing::new("x")).await.attributes().is_empty());
}
