//! A decorator that sends the trace context with each message.

use opentelemetry::Context;
use queue_core::{
    Consumer, Delivery, Depth, Inspect, Limits, MessageId, Outgoing, Publisher, QueueError, ReceiveLimits,
    ReceiveOptions, Rejected, async_trait,
};
use tracing::field::{Empty, display};
use tracing::{Instrument, Span, info_span};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::carrier;

/// Publishes in a span of its own, and sends that span's context with each message, so that a trace goes on in the
/// handler.
///
/// It stands in front of all others, `Traced<Coalesced<Metered<Q>>>`, as [`Coalesced`](queue_core::Coalesced) publishes
/// on tasks of its own, which have no current span. A message that carries a context already keeps it. Where the
/// `publish` span is filtered out, the current span's context goes with the messages.
///
/// # Guarantees
/// Q11: the context is left out where it would break a limit (ten attributes, the message's size, the batch's): no
/// message is refused because of it. It changes no other answer and no limit.
///
/// # Cancel safety
/// Each call is as safe as the queue's own.
///
/// # Examples
/// ```
/// use queue_core::{Coalesced, MemoryQueue, Outgoing, PublisherExt};
/// use worker::trace_context::Traced;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let queue = Traced::new("orders", Coalesced::new(MemoryQueue::new())).with_system("aws_sqs");
/// queue.publish_one(Outgoing::new("an order")).await?;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Traced<Q> {
    queue: Q,
    name: String,
    system: String,
}

impl<Q> Traced<Q> {
    /// Traces what is published to `queue`, which the spans call `name`.
    pub fn new(name: impl Into<String>, queue: Q) -> Self {
        Self { queue, name: name.into(), system: "unknown".to_owned() }
    }

    /// Sets the spans' `messaging.system`, as
    /// [`ReceiverBuilder::system`](crate::ReceiverBuilder::system) does.
    #[must_use]
    pub fn with_system(mut self, system: impl Into<String>) -> Self {
        self.system = system.into();
        self
    }

    /// The queue behind it; what is published there is not traced.
    pub fn queue(&self) -> &Q {
        &self.queue
    }

    fn span(&self, batch: &[Outgoing]) -> Span {
        let span = info_span!(
            "publish",
            otel.name = %format_args!("publish {}", self.name),
            otel.kind = "producer",
            otel.status_code = Empty,
            messaging.system = self.system,
            messaging.destination.name = self.name,
            messaging.operation.name = "publish",
            messaging.operation.type = "send",
            messaging.batch.message_count = (batch.len() > 1).then_some(batch.len()),
            messaging.message.id = Empty,
            error.type = Empty,
        );
        for context in batch.iter().filter_map(|message| carrier::extract(message.attributes())) {
            span.add_link(context);
        }
        span
    }
}

impl<Q: Publisher> Traced<Q> {
    /// Puts `context` into each message that has room for it, as far as the batch has.
    fn inject(&self, context: &Context, batch: Vec<Outgoing>) -> Vec<Outgoing> {
        let limits = self.queue.limits();
        let size: usize = batch.iter().map(Outgoing::size).sum();
        let mut room = limits.batch_bytes.saturating_sub(size);
        batch.into_iter().map(|message| carrier::inject(context, message, &limits, &mut room)).collect()
    }
}

/// Notes in the span how it ended: the id of a single message, and the first error.
fn note(span: &Span, answers: &[Result<MessageId, Rejected>]) {
    if let [Ok(id)] = answers {
        span.record("messaging.message.id", display(id));
    }
    if let Some(rejected) = answers.iter().find_map(|answer| answer.as_ref().err()) {
        span.record("error.type", display(rejected.kind()));
        span.record("otel.status_code", "ERROR");
    }
}

/// Hands refused messages back as they came.
fn hand_back(
    batch: Vec<Outgoing>,
    answers: Vec<Result<MessageId, Rejected>>,
) -> Vec<Result<MessageId, Rejected>> {
    let original = |(message, answer): (Outgoing, Result<MessageId, Rejected>)| {
        answer.map_err(|rejected| Rejected::new(message, rejected.into_error()))
    };
    batch.into_iter().zip(answers).map(original).collect()
}

#[async_trait]
impl<Q: Publisher> Publisher for Traced<Q> {
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        let span = self.span(&batch);
        let context = if span.is_disabled() { Span::current().context() } else { span.context() };
        let injected = self.inject(&context, batch.clone());
        let answers = self.queue.publish(injected).instrument(span.clone()).await;
        note(&span, &answers);
        hand_back(batch, answers)
    }

    fn limits(&self) -> Limits {
        self.queue.limits()
    }
}

#[async_trait]
impl<Q: Consumer> Consumer for Traced<Q> {
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        self.queue.receive(options).await
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.queue.receive_limits()
    }
}

#[async_trait]
impl<Q: Inspect> Inspect for Traced<Q> {
    async fn depth(&self) -> Result<Depth, QueueError> {
        self.queue.depth().await
    }

    async fn purge(&self) -> Result<(), QueueError> {
        self.queue.purge().await
    }
}
